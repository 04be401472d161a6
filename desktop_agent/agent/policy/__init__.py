"""Decides what may be done: allow, ask the user, or refuse, with the reason."""
