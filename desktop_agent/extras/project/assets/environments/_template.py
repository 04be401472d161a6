"""Keeps notes: each command is one. Write here what your environment is for, and what its commands are."""

notes = []


def run(command):
    """Carry out one command; return what is told of it. Raise ValueError with a sentence where that cannot be."""
    notes.append(command)
    return f"note {len(notes)}"


def screen():
    """What there is to see now."""
    return "\n".join(notes[-20:]) or "No notes yet."
