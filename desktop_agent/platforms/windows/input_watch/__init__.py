"""Watches for Esc and the human's input by low-level hooks and the key state, and releases keys and buttons, on Windows."""
