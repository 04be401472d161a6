"""Waits until the screen is still after an action, and tells what changed."""
