"""What the benchmark of settling is made of: applications, a server of pages, and one who watches."""
