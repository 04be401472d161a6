"""A page to watch and steer agents in a browser on this computer."""
