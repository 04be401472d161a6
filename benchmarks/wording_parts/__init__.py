"""Everyday jobs in eight wordings each: what was said, playing it on real applications, and judging what came of it."""
