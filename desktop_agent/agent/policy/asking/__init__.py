"""Asks the human: what the question shows, what a yes covers, and whether what it rested on is still so."""
