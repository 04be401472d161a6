"""Starts and ends a process of the program: arguments, console, crash reports, exit codes, one instance a screen."""
