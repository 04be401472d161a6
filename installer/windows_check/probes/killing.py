"""Ends a process and watches until nothing is held any more, from close by."""

from __future__ import annotations

import threading
import time

from installer.windows_check.probes.keys import held
from installer.windows_check.probes.processes import kill, let_go, over, watched

POLL_SECONDS, CALM_SECONDS, LIMIT_SECONDS = 0.001, 0.1, 10.0


def kill_and_watch(victim: int, others: list[int]) -> tuple[int, float | None, list[int], bool]:
    """Kill `victim` and wait for the end of `others`, which shall end by themselves, and a moment of calm.

    How much was down at the kill, milliseconds until nothing was for good (None when something stayed),
    what stayed, and whether all processes ended.
    """
    pause = threading.Event()
    processes = [watched(pid) for pid in (victim, *others)]
    before = len(held())
    began = time.monotonic()
    kill(victim)
    down, released, ended, last_news = [0], began, False, began
    while (now := time.monotonic()) - last_news < CALM_SECONDS and now - began < LIMIT_SECONDS:
        pause.wait(POLL_SECONDS)
        last, down = down, held()
        if last and not down:
            released = time.monotonic()
        if down or not ended:
            last_news = time.monotonic()
            ended = all(map(over, processes))
    for each in processes:
        let_go(each)
    return before, None if down else (released - began) * 1000, down, ended
