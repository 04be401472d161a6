"""Basic widgets (buttons, cards, wrapped text, thumbnails, scroll area) and the theme, used by the panels."""
