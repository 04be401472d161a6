"""The windows of this extra."""
