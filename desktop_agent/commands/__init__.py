"""The sub-commands of the command line: one module each, whose `main(words)` returns the exit code."""
