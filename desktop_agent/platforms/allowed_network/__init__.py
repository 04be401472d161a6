"""A network of which only what is on a list can be reached: the way out of a sandbox that has none of its own."""
