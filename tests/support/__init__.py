"""Parts that tests and benchmarks share (private desks, a human at a keyboard, stand-in servers), and tests of `desktop_agent/support`."""
