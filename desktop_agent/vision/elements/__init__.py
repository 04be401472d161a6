"""Elements."""
