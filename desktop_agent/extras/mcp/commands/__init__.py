"""The sub-commands of this extra."""
