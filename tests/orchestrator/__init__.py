"""Tests of what runs inside the sandbox."""
