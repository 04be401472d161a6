"""Starts desktop-agent: `python main.py`. Any Python from 3.8 on can read this file, to be told what is missing."""

import os
import sys
from importlib.util import find_spec

OLDEST = (3, 11)
NEEDED = ("msgspec", "PySide6")
"""Two of the packages of requirements/app.in: without them the others are not here either."""
USAGE = 2


def what_is_missing() -> str:
    """What this Python lacks to start desktop-agent, and the command that brings it; "" when nothing."""
    run = "run.cmd" if os.name == "nt" else "./run"
    if sys.version_info < OLDEST:
        found, wanted = (".".join(map(str, each[:2])) for each in (sys.version_info, OLDEST))
        return f"needs Python {wanted} or newer, and this one is {found}: {run} starts it with one that is new enough."
    if not all(map(find_spec, NEEDED)):
        return f"cannot start, as its packages are not installed for this Python: {run} installs them and starts it."
    return ""


def start() -> int:
    """Run desktop-agent, or say in a sentence why this Python cannot; returns the exit code."""
    if missing := what_is_missing():
        sys.stderr.write(f"desktop-agent {missing}\n")
        return USAGE
    from desktop_agent.__main__ import main

    return main()


if __name__ == "__main__":
    sys.exit(start())
