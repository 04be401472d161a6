"""The stand-in for a computer at the end of a wire: keystrokes come over HTTP to a shell that a window shows."""
