"""The observer of a kill on Windows: ends a process and watches the keyboard's state until all is released.

It asks Windows itself for all keys and buttons; what the app says plays no part.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.lab.windows_desk import down
from desktop_agent.hand.peer import Peer

POLL_SECONDS = 0.001
CALM_SECONDS = 0.1
"""This long after everything is over nothing may be down: what a dead process had queued has arrived then."""
LIMIT_SECONDS = 10.0


class Seen(NamedTuple):
    """`held`: what was down at the kill. `released`: milliseconds from it until nothing was down any more, for
    good; None when something (`left`) stayed. `ended`: whether the others ended by themselves."""

    held: tuple[int, ...]
    released: float | None
    left: tuple[int, ...]
    ended: bool


def kill(victim: int, others: Sequence[int] = ()) -> Seen:
    """End process `victim` at once and watch; `others` are the processes that shall end with it."""
    peers = [Peer(pid) for pid in others]
    doomed, held = Peer(victim), tuple(down())
    began = released = over = time.perf_counter()
    doomed.kill()
    left: Sequence[int] = held
    ended = False
    while (now := time.perf_counter()) - over < CALM_SECONDS and now - began < LIMIT_SECONDS:
        threading.Event().wait(POLL_SECONDS)
        before, left = left, down()
        if before and not left:
            released = time.perf_counter()
        if not ended or left:
            over = time.perf_counter()
            ended = all(peer.wait(0) for peer in (doomed, *peers))
    return Seen(held, None if left else (released - began) * 1000, tuple(left), ended)
