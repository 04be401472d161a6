"""Simulated desktops: scenes in memory to practise and to measure with, and the AI Virtual Input System on top of them."""
