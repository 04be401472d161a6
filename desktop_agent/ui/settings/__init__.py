"""The settings dialog: a form made from the typed options, with what needs more than a field."""
