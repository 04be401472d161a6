"""The program as the agents of a fleet's benchmark run it: from this checkout, with the Python that measures."""

from __future__ import annotations

import sys

from benchmarks.report import ROOT

MAX_STEPS = 1_000


def launch(*arguments: str) -> list[str]:
    """The command that starts it with these arguments."""
    before = ["/usr/bin/env", f"PYTHONPATH={ROOT}", "PYTHON_KEYRING_BACKEND=keyring.backends.null.Keyring"]
    return [*before, sys.executable, "-m", "desktop_agent", f"--max-steps={MAX_STEPS}", *arguments]


def typing_goal(steps: int) -> str:
    """A goal of so many texts typed, about one a second."""
    return ", then ".join(
        ["Open the text editor", *(f"type line{number}, then wait 0.8 seconds" for number in range(steps))]
    )
