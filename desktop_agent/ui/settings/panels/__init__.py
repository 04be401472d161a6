"""Panels of the settings dialog that are more than a value: keys, tests, what is always allowed."""
