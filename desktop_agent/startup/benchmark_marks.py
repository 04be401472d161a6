"""Prints when things happened for a benchmark: one line on stderr each, only if DESKTOP_AGENT_MARKS is set."""

from __future__ import annotations

import os
import sys
import time

from desktop_agent.protocol.agent_events import FeedEvent, LookTaken

_VARIABLE = "DESKTOP_AGENT_MARKS"


def mark(name: str) -> None:
    """Print `mark NAME SECONDS`, in seconds of the monotonic clock, which all processes share."""
    if os.environ.get(_VARIABLE):
        sys.stderr.write(f"mark {name} {time.monotonic():.6f}\n")
        sys.stderr.flush()


def painted() -> None:
    """Mark the first painting of the window."""
    mark("window_painted")


class FirstLook:
    """Feed listener that marks the first observation."""

    def __init__(self) -> None:
        self._seen = False

    def __call__(self, event: FeedEvent) -> None:
        if isinstance(event, LookTaken) and not self._seen:
            self._seen = True
            mark("first_observation")
