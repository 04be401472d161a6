"""Deep."""
