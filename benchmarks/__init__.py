"""What is measured, one file a benchmark: `run(quick) -> Report`, and its docstring says what it is about."""
