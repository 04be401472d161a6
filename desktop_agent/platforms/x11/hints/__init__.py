"""Hints on an X display: windows that no click reaches and no picture shows."""
