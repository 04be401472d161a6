"""A private X server with window manager, session bus and accessibility."""
