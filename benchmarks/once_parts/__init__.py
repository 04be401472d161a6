"""Honest pages that send something: what a person expects of each, models that go by elements alone, and their runs."""
