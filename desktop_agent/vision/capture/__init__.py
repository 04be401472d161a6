"""Captures frames of the screen and masks what is private."""
