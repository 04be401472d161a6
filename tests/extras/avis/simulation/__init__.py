"""The simulated desktop and its services."""
