"""How the pieces of a simulated desktop are drawn: masks, inks, a sheet to draw on, and a drawer for each kind of piece."""
