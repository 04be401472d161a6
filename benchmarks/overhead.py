"""Our own time for a call of a model (build, send, parse) with a history of 100 steps behind it, and for cancelling one."""

from __future__ import annotations

import tempfile
import threading
import time
from pathlib import Path

from benchmarks.context_parts.long_talk import REPLY, LongTalk
from benchmarks.context_parts.map_cost import ELEMENTS, map_times
from benchmarks.context_parts.provider import Provider
from benchmarks.report import BenchmarkError, Goal, Report, measured, report
from desktop_agent.protocol.errors import Stopped

HISTORY = 100
_SECONDS = 20.0


def run(quick: bool) -> Report:
    """Talk with a provider on loopback that answers at once; its own time is taken off each call."""
    times = 20 if quick else 100
    with tempfile.TemporaryDirectory() as folder, Provider(lambda _: REPLY, reads=False) as provider:
        talk = LongTalk(provider.model(), Path(folder) / "run")
        calls = []
        for _ in range(HISTORY + times):
            look = talk.look()
            began = time.perf_counter()
            talk.turn_at(look)
            calls.append(1000 * (time.perf_counter() - began - provider.seconds[-1]))
        talk.close()
    one, all_, told = map_times(times)
    return report(
        "overhead",
        measured(f"a call after {HISTORY} steps", calls[HISTORY:], "ms", Goal(15)),
        measured("a call in the first 20 steps", calls[:20], "ms"),
        measured("size of such a request", [size / 1000 for size in provider.sizes[HISTORY:]], "kB"),
        measured(
            "from a stop to the end of a call", [_cancelled() for _ in range(times)], "ms", Goal(100, "max")
        ),
        measured(f"the map, {ELEMENTS} elements, one changed", one, "ms", Goal(0.3)),
        measured(f"the map, {ELEMENTS} elements of another page", all_, "ms"),
        measured("the map's short form", told, "ms", Goal(0.3)),
        notes=(
            "Encoding the picture's changed parts, recording in the run's log and the loopback are counted in.",
        ),
    )


def _cancelled() -> float:
    """Milliseconds from a stop to the end of a call that the provider does not answer."""
    asked, over = threading.Event(), threading.Event()

    def hang(_: object) -> str:
        asked.set()
        over.wait(_SECONDS)
        return REPLY

    ended = 0.0
    with tempfile.TemporaryDirectory() as folder, Provider(hang, reads=False) as provider:
        talk = LongTalk(provider.model(), Path(folder) / "run")

        def call() -> None:
            nonlocal ended
            try:
                talk.turn()
            except Stopped:
                ended = time.perf_counter()

        caller = threading.Thread(target=call)
        caller.start()
        if not asked.wait(_SECONDS):
            raise BenchmarkError("the provider was not asked")
        began = time.perf_counter()
        talk.stop.set("enough")
        caller.join(_SECONDS)
        over.set()
        talk.close()
    if not ended:
        raise BenchmarkError("the call was not cancelled")
    return 1000 * (ended - began)
