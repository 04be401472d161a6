"""The everyday jobs of the benchmark `desktop`: what a user asks for, what is there before, what is looked at after."""
