"""Parts of the benchmark of wordings: the jobs as data, which of them are set aside, and how a run is judged."""
