"""What `./bench elements` reads, and with what it is compared."""
