"""The scope of a run: what is granted, what an operation needs, and what words grant."""
