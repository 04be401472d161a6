"""Several agents at once, and the page in a browser on which they are watched and steered."""
