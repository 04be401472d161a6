"""The files that operations would reach, and which of them are protected."""
