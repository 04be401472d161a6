"""Goals about files in everyday words, the commands of a POSIX shell for them, and what came of one on the screen."""
