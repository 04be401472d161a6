"""The watcher process: cleans up when the guard was killed and nobody else is left to."""
