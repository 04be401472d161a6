"""Parts of the benchmarks about the conversation: a provider on loopback, a recorded run, and what a request weighs."""
