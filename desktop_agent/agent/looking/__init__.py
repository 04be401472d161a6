"""Makes one look: captures, hides what is private, compares it with the look before."""
