"""The passes over a goal: each places or claims one kind of thing said, given the state the passes before left."""
