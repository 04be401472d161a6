"""The mechanisms of Microsoft Windows."""
