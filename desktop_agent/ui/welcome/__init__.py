"""The first minute: what is here, who thinks, Esc, and a practice run."""
