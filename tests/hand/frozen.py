"""Freezes a hand (SIGSTOP) at a chosen moment, as a machine does that swaps it out."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

from desktop_agent.hand.ipc.shared_block import Shared, Word
from tests.desk import until
from tests.hand.workplace import Workplace


def shared_of(place: Workplace) -> Shared:
    """The block that its brain, hand and guard share."""
    pair = place.hands._pair
    assert pair is not None
    return pair.shared


def freeze(pid: int) -> None:
    """Returns when the process does nothing any more."""
    os.kill(pid, signal.SIGSTOP)
    until(lambda: _state(pid) in "TZX", "the process frozen")


def freeze_when(pid: int, caught: Callable[[], bool]) -> None:
    """Freeze a process at a moment when something is so, and stays so."""

    def frozen() -> bool:
        for _ in range(10_000):
            if caught():
                freeze(pid)
                if caught():
                    return True
                os.kill(pid, signal.SIGCONT)
        return False

    until(frozen, "the moment to freeze it in")


def freeze_in_grab(place: Workplace) -> None:
    """Freeze its hand, which is typing, at a moment when every other client of the display has to wait for it."""
    freeze_when(place.hand, lambda: shared_of(place)[Word.GRAB_SINCE] != 0)


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "X"
