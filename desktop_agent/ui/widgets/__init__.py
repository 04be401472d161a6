"""Small widgets and the theme, of which the panels are made."""
