"""Encoding."""
