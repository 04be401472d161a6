"""Watches whether applications are still at work: damage events, processor time, pending network requests."""
