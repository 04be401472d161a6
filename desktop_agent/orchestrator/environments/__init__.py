"""The environments that come with the orchestrator: one module each."""
