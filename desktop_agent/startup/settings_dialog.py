"""Asks the user about settings that widen what may be done: in a window of ours, or at the terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from typing import TextIO

from desktop_agent.startup.settings_confirmation import Ask


def asker(windowed: bool, terminal: TextIO | None) -> Ask | None:
    """What asks at this start; None where nobody can answer."""
    if windowed:
        return in_window
    return partial(in_terminal, terminal) if terminal is not None else None


def in_terminal(terminal: TextIO, about: str, lines: Sequence[str]) -> bool:
    """Print the question and read the answer; anything but yes is a no."""
    listed = "".join(f"  {line}\n" for line in lines)
    sys.stderr.write(f"desktop-agent: {about}\n{listed}Use it? [y/N] ")
    sys.stderr.flush()
    return terminal.readline().strip().lower() in ("y", "yes")


def in_window(about: str, lines: Sequence[str]) -> bool:
    """Ask in a window of our own, and wait for the answer."""
    from desktop_agent.ui.shell.settings_question_window import (
        run_question,
    )  # Qt is loaded only for the window

    return run_question(about, lines)
