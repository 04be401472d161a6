"""Makes an observation: captures a frame, hides what is private, compares it with the observation before."""
