"""Windows that change under the hand: the parts of the benchmark `swap`."""
