"""Opener."""
