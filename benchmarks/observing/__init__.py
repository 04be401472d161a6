"""What `./bench observe` looks at, and whom it looks at it beside."""
