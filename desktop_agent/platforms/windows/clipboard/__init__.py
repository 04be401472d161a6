"""Clipboard."""
