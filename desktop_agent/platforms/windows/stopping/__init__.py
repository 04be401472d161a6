"""Stopping."""
