"""Reads the user's words: what they order, name, forbid and take back."""
