"""The Qt user interface: a chat window docked at a screen edge."""
