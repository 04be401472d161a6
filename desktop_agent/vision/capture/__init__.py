"""Takes a picture of the screen and paints over what is private."""
