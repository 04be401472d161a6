"""The guard process: watches for Esc and for deaths, and releases what is held."""
