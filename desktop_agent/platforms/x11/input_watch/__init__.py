"""Watches for Esc and for the human's input, and releases keys and buttons, on X11."""
