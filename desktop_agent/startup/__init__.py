"""Startup."""
