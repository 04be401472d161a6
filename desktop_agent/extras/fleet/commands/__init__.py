"""The sub-command of the fleet."""
