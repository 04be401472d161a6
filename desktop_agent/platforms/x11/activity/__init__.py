"""Activity."""
