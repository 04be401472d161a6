"""Whether the human's session can be seen and worked: locks, other sessions, and what fills the screen."""
