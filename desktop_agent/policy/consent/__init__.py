"""Makes the user's questions, binds a yes to exactly what was asked, and remembers it."""
