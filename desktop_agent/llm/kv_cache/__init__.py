"""Keeps what a model on this machine has read (its keys and values) in files bound to that model, without pickle."""
