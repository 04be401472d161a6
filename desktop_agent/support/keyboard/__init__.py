"""Shortcuts as settings, and the numbers of keys and characters."""
