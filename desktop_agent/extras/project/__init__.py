"""Works a directory by commands in a sandbox: bash, Python, an editor, and modules of the project's own."""
