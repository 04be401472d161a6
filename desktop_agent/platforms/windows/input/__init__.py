"""Injects input through SendInput, and refuses where UIPI would drop it."""
