"""Editors of the settings dialog: what each value is entered with."""
