"""What thinks: one file per model provider."""
