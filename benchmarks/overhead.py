"""Our own time for a call of a model (build, send, parse) with a history of 100 steps behind it."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from benchmarks.context_parts.long_talk import REPLY, LongTalk
from benchmarks.context_parts.provider import Provider
from benchmarks.report import Goal, Report, measured, report

HISTORY = 100


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
    return report(
        "overhead",
        measured(f"a call after {HISTORY} steps", calls[HISTORY:], "ms", Goal(15)),
        measured("a call in the first 20 steps", calls[:20], "ms"),
        measured("size of such a request", [size / 1000 for size in provider.sizes[HISTORY:]], "kB"),
        notes=(
            "Encoding the picture's changed parts, recording in the run's log and the loopback are counted in.",
        ),
    )
