"""Writes what the model is told each turn, and fences off what was read from the screen."""
