"""Microsoft Windows: input, windows, clipboard, opener, session state, process settings."""
