"""Computers of the agent's own: containers, and any computer that is reached by VNC."""
