"""MCP in both directions: a client that works this computer under the same rules, and tools of servers for the agent."""
