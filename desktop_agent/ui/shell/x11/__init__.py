"""The window's X11 parts: compositor, keyboard focus and global shortcuts."""
