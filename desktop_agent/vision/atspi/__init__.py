"""Atspi."""
