"""Hears Esc by a low-level hook and by the key state, and releases keys and buttons, on Windows."""
