"""Targets of tests, each in one file, as a package on the plug-in path brings them."""
