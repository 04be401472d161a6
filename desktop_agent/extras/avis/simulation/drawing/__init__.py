"""What a scene looks like: themes, typefaces, and where everything is."""
