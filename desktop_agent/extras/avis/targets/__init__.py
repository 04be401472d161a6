"""The targets of this extra."""
