"""The wires of this extra: keys over HTTP and USB."""
