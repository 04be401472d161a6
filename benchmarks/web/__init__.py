"""Web tasks in a real browser: served, begun and judged here, solved by the agent from what the screen shows."""
