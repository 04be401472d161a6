"""What packages desktop-agent for Windows, and what checks it there."""
