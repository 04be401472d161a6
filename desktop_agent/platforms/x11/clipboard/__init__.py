"""Saves and restores the X11 selections."""
