"""Runs desktop-agent under Windows Python and Wine, on a Linux machine, from bare."""
