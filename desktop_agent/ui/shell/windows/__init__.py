"""The window's Windows parts: task bar identity and global shortcuts."""
