"""The measuring lab: a display with two keyboards, a human at one of them, and an observer with a clock."""
