"""Makes the pictures of a camera that stands before a screen into that screen's pixels."""
