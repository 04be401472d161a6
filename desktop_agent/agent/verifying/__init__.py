"""Tells by two looks what an operation did: confirmed, changed, no effect, unknown."""
