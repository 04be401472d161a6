"""Hand, guard or brain frozen (SIGSTOP) while the hand types: for how long every other program stands still."""

from __future__ import annotations

import os
import select
import signal
import threading
import time
from collections.abc import Iterator
from random import Random

from benchmarks.report import BenchmarkError, Figure, Goal, measured
from desktop_agent.hand.client import Hands
from desktop_agent.hand.ipc.shared_block import Shared, Word
from desktop_agent.platforms.host import Peer
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch
from desktop_agent.protocol.errors import HandError
from desktop_agent.protocol.geometry import Viewport
from tests.support.desk import LabDesk
from tests.support.process import started

TRIALS, QUICK = 100, 2
SEED = 20_261_124
LATEST = 0.3
GRAB_SECONDS = 5.0
WATCH_SECONDS = 0.4
"""So long after the freeze the desktop is watched, then the frozen one goes on."""
TEXT = "The quick brown fox " * 490


def figures(desk: LabDesk, trials: int) -> Iterator[Figure]:
    """The longest standstill of each trial, for a hand frozen anywhere, one frozen in a grab, and a guard."""
    random = Random(SEED)  # noqa: S311 - the same moments each time
    environment = {**os.environ, **desk.environment}
    for name, word, grabbed in (
        ("hand frozen while typing", Word.HAND_PID, False),
        ("hand frozen while it has grabbed the server", Word.HAND_PID, True),
        ("guard frozen", Word.GUARD_PID, False),
    ):
        with started("stillness", environment) as observer:
            found = []
            for _ in range(trials):
                observer.ask()
                _freeze(desk, word, grabbed, random.uniform(0, LATEST))
                found.append(float(observer.ask()))
        yield measured(f"desktop standing still: {name}", found, "ms", Goal(50.0, "max"))


def _freeze(desk: LabDesk, word: Word, grabbed: bool, seconds: float) -> None:
    hands = Hands(desk.address(), takeover=False)
    hands.start()
    layout = desk.geometry()
    view = Viewport(layout.bounds, layout.bounds.size, layout.epoch)
    batch = Batch("b", (ops.Type(TEXT, 0.001),), view, {}, hands.generation)
    worker = threading.Thread(target=_carry_out, args=(hands, batch))
    worker.start()
    pair = hands._pair
    try:
        if pair is not None:
            select.select([], [], [], seconds)
            pid = pair.shared[word]
            _stop(pid, pair.shared if grabbed else None)
            select.select([], [], [], WATCH_SECONDS)
            if pair.hand.alive and pair.guard.alive:
                os.kill(pid, signal.SIGCONT)
    finally:
        hands.stop()
        worker.join()
        hands.close()


def _stop(pid: int, shared: Shared | None) -> None:
    """Freeze a process; with `shared` at a moment when it has grabbed the server."""
    end = time.monotonic() + GRAB_SECONDS
    while time.monotonic() < end:
        if shared is None or shared[Word.GRAB_SINCE]:
            os.kill(pid, signal.SIGSTOP)
            while not Peer(pid).frozen() and not Peer(pid).wait(0):
                pass
            if shared is None or shared[Word.GRAB_SINCE]:
                return
            os.kill(pid, signal.SIGCONT)
    raise BenchmarkError("the hand could not be frozen in a grab")


def _carry_out(hands: Hands, batch: Batch) -> None:
    try:
        hands.execute(batch)
    except HandError:  # it was ended: that is what is measured
        return
