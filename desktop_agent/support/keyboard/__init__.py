"""Shortcuts as settings."""
