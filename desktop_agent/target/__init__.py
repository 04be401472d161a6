"""Places with a screen and inputs; one file per kind of place."""
