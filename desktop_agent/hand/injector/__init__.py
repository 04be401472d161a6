"""Injector."""
