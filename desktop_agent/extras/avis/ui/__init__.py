"""The windows of simulated desktops: the scene that a person and the agent see and work, and the editor of scene files."""
