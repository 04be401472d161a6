"""The parts of the trace benchmark: an observer of a desktop, and runs that are ended in each way."""
