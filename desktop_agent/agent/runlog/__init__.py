"""Runlog."""
