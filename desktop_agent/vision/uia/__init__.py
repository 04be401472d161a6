"""Reads the accessibility tree of a Windows desktop through UI Automation."""
