"""A keyboard over HTTP: the requests, and what the hand injects with."""
