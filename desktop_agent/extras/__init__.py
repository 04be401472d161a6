"""Systems beside the coworker, a folder each, laid out like the program itself: it finds their plug-ins (support/plugins.py)."""
