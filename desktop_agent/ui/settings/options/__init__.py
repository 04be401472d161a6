"""What the settings dialog shows and changes, without its widgets: options, words, drafts, and what is around it."""
