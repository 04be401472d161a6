"""Saves and restores the Windows clipboard."""
