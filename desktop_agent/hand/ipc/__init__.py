"""What brain, hand and guard share: shared memory, framed messages, the pair of child processes."""
