"""Writes and audits the hash-chained log of a run."""
