"""Each system's own mechanisms, one package a system, behind the faces of `base`."""
