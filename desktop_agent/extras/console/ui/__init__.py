"""The window of the agents that each have a computer of their own: the list, what one is at, and what can be done with it."""
