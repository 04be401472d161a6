"""What brain, hand and guard share: shared memory, framed messages, process handles."""
