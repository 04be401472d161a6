"""The windows of earlier runs: the list with its search, and the player."""
