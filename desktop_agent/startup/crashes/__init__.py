"""What becomes of an error that nobody caught: a report, and the question about it at the next start."""
