"""The models of this extra."""
