"""Recognises text in frames, only where the picture changed."""
