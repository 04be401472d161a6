"""Serves the desktop to an MCP client over stdio: its calls are the replies of a run, so they go the way of every run."""
