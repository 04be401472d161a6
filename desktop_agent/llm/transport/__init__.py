"""Carries a request to a model server and back: keys, time limits, errors, pictures, and whether it can be used."""
