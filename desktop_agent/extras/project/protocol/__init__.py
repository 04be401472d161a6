"""The language of this extra."""
