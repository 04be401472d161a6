"""Writes a run as a page, a film, a conversation or a bundle for a report of a failure."""
