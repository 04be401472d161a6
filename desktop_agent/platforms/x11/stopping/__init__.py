"""Hears Esc and the human, and releases keys and buttons, on X11."""
