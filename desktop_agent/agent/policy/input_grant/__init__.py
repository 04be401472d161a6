"""How far that reaches which the permission opens: its time, its applications and its kinds of input."""
