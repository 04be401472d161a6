"""What tests and benchmarks stand on (private desks, a human at a keyboard, stand-in servers), and tests of `desktop_agent/support`."""
