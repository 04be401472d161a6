"""Learns the map of a desktop from looks and actions, and tells it in short form."""
