"""Earlier runs: what they did step by step, an index to search them, export, retention and deletion. No Qt."""
