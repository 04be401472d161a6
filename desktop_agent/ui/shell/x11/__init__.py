"""What the window needs of X11."""
