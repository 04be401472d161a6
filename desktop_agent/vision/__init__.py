"""What is seen: frames, encoding, settling, elements and text."""
