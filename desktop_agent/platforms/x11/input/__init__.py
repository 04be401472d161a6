"""Injects through XTest: pointer, keyboard, spare keycodes, waiting until the text was read."""
