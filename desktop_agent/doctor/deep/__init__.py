"""Checks that try the real desktop: they move the mouse, press keys and look, after asking."""
