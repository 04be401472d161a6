"""The cases of the benchmark `walls`, one file a class of threat; every module's `CASES` is found and played."""
