"""The mechanisms of X11."""
