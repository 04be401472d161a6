"""The conversation of a run: kept, shortened, restored, and each look told in it as briefly as it can be."""
