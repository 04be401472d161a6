"""Queries the windows of an X display: EWMH properties, stacking order, visible areas."""
