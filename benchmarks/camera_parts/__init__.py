"""Parts of the benchmark `camera`."""
