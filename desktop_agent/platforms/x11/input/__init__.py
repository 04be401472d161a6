"""Injects input through XTest: pointer, keyboard, spare keycodes, waiting until input was read (drain)."""
