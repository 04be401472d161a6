"""X11: connection, input, windows, clipboard, opener, activity, the embedded display."""
