"""Injects through SendInput, where UIPI lets it."""
