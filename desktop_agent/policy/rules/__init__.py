"""Judges facts by the level, the scope and the user's rules: allow, ask or refuse."""
