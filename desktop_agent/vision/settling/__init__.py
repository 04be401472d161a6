"""Waits until the screen is still after an action (by events, else by polling) and reports what changed."""
