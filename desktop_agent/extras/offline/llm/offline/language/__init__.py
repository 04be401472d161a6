"""Understands instructions in everyday words: by a lexicon of verb frames, with every word accounted for."""
