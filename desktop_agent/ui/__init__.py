"""All of Qt: the docked chat window and what it shows."""
