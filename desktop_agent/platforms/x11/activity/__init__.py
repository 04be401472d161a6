"""Tells whether applications are still at work: damage events, processor time, open network requests."""
