"""The dialects of this extra."""
