"""A trial plug-in of each family."""
