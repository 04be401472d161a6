"""Servers of ours: who may ask them."""
