"""Processes and files of Linux and other POSIX systems, whatever display they have."""
