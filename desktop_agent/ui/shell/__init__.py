"""The window's frame and its place among others: docking, focus, hot keys, screens."""
