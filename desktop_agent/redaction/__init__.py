"""Replaces secrets in everything that is written, shown or sent."""
