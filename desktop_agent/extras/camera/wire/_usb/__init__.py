"""A USB keyboard and mouse played by this computer: reports, layouts, and the gadget that carries them."""
