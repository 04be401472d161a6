"""The parts of the off benchmark: a brain that tries to see and press whatever it is told."""
