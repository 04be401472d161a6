"""A small desktop in memory: scenes, what happens in them, how they are drawn."""
