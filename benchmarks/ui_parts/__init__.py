"""Parts of the benchmark of the window's smoothness."""
