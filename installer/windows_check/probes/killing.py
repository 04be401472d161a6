"""Ends a process and watches until nothing is held any more, from close by, by Windows' own word."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import NamedTuple

from installer.windows_check.probes.keys import held
from installer.windows_check.probes.processes import kill, let_go, over, watched

POLL_SECONDS, LIMIT_SECONDS = 0.001, 45.0
CALM_SECONDS = 0.1
"""This long after everything is over nothing may be down: what a dead process had queued has arrived then."""


class Seen(NamedTuple):
    """`held`: how much was down at the kill. `released`: milliseconds from it until nothing was down any more,
    for good; None when something (`left`) stayed. `ended`: whether all processes ended."""

    held: int
    released: float | None
    left: tuple[int, ...]
    ended: bool


def kill_and_watch(victim: int, others: Sequence[int] = ()) -> Seen:
    """End process `victim` at once and watch; `others` are those that shall end with it. Raises OSError when it
    is gone already."""
    processes = [watched(pid) for pid in (victim, *others)]
    try:
        before, began = len(held()), time.perf_counter()
        kill(victim)
        return _watch(before, began, processes)
    finally:
        for each in processes:
            let_go(each)


def _watch(before: int, began: float, processes: Sequence[int]) -> Seen:
    pause = threading.Event()
    down, released, ended, last_news = [0], began, False, began
    while last_news - began < LIMIT_SECONDS:
        pause.wait(POLL_SECONDS)
        last, down, now = down, held(), time.perf_counter()
        if last and not down:
            released = now
        ended = ended or all(map(over, processes))
        if down or not ended:
            last_news = now
        elif now - last_news > CALM_SECONDS:  # by this look: on a busy machine there may be long between two
            break
    return Seen(before, None if down else (released - began) * 1000, tuple(down), ended)
