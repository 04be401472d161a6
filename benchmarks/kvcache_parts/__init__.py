"""Parts of the benchmark of local models' caches."""
