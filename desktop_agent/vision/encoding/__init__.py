"""Scales and encodes frames for models and for the live preview."""
