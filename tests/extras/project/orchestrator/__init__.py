"""Tests of the orchestrator and its environments."""
