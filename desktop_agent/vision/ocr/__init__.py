"""Recognises text in frames by OCR, only where the picture changed."""
