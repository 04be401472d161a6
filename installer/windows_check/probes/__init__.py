"""What runs inside Windows to see what the program does there."""
