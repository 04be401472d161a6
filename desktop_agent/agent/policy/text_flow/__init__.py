"""Where texts come from and where they go: what was read, what it taints, and what is asked before it goes on."""
