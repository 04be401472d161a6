"""Notes that the agent keeps for later runs, as files that the user can read, change and switch off."""
