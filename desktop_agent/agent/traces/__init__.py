"""What a run leaves on the desktop beside what its goal changed, and how it is put back."""
