"""Reads the characters of a terminal, and the state it is in, from its picture."""
