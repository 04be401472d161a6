"""Finds form controls in the picture of a screen whose accessibility tree cannot be asked."""
