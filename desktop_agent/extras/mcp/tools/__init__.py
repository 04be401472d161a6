"""The environments of this extra."""
