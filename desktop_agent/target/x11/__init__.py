"""X11: connection, input, windows, geometry and opening of programs, shared by the targets on X displays."""
