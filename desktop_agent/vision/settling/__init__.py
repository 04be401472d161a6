"""Settling."""
