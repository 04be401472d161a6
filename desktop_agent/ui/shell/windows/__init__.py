"""What the window needs of Windows."""
