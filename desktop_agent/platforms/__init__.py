"""The operating systems' own mechanisms, one package per system, behind the interfaces of `base`."""
