"""The sub-commands of the command line, a module each: `main(words)` returns the exit code, `EXAMPLES` are lines of the help."""
