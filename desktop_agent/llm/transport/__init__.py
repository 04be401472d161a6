"""Carries a request to a model server and back: keys, time limits, errors, pictures, streamed notes."""
