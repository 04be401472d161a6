"""The conversation: its messages, what can be done with them, and what the user gives with a goal."""
