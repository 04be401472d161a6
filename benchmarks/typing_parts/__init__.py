"""Applications that are typed into, who types, and what."""
