"""What the benchmark of the Windows program is made of."""
