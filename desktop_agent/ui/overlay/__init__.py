"""Hints over the screen: where the agent acts next, for the human alone."""
