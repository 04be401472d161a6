"""Carries out operations: cuts a batch, states what must still be there, sends it to the hand."""
