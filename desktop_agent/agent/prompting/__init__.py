"""Writes the prompt of each turn, with what was read from the screen in marked blocks."""
