"""Starts a project's environments in a sandbox, and keeps its repository apart from them."""
