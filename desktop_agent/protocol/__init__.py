"""What is said: operations, replies, input events, the feed, geometry, keys and errors."""
