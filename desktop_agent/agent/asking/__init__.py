"""Puts questions to the human, one operation after the other, and waits for the answer."""
