"""Which window is where: EWMH properties, stacking order, visible areas."""
