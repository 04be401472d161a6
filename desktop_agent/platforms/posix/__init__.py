"""The mechanisms that Linux and other POSIX systems share."""
