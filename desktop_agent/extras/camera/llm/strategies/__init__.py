"""Strategies: what decides the next key in a terminal that is seen in pictures. A file a strategy."""
