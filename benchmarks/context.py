"""A conversation of 1,000 steps: memory stays flat, the log grows evenly, and a killed run goes on at the same step."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.context_parts.long_talk import REPLY, LongTalk
from benchmarks.context_parts.provider import Body, Provider
from benchmarks.report import BenchmarkError, Goal, Report, counted, report

SUMMARY = "The list was gone through down to this row; nothing was refused. " * 20


def run(quick: bool) -> Report:
    """Talk on and on; memory and log are looked at after each tenth of the steps."""
    steps = 200 if quick else 1_000
    tenth = steps // 10
    memory: list[float] = []
    log: list[float] = []
    with tempfile.TemporaryDirectory() as folder, Provider(_answer) as provider:
        talk = LongTalk(provider.model(), Path(folder) / "run")
        for step in range(1, steps + 1):
            talk.turn()
            provider.bodies.clear()
            if step % tenth == 0:
                memory.append(_memory())
                log.append((Path(folder) / "run" / "events.jsonl").stat().st_size / 1e6)
        words, largest = talk.context.words, max(provider.sizes) / 1e6
        talk.close()
    return report(
        "context",
        counted(
            "memory at the end, of that after three tenths", memory[-1] / memory[2], steps, "times", Goal(1.1)
        ),
        counted("memory at the end", memory[-1], steps, "MB"),
        counted(
            "log of the last tenth, of the second",
            _growth(log, -1) / _growth(log, 1),
            steps,
            "times",
            Goal(1.2),
        ),
        counted("log of 100 steps", 100 * log[-1] / steps, steps, "MB"),
        counted("words at the end", words, steps, "words"),
        counted("largest request", largest, steps, "MB"),
    )


def _answer(body: Body) -> str:
    """A reply, or a summary where one is asked for."""
    asked = body["messages"][-1]["content"][-1].get("text", "")
    return SUMMARY if "Sum it up" in asked else REPLY


def _growth(log: Sequence[float], tenth: int) -> float:
    """What the log grew by in one tenth of the steps, in MB."""
    return log[tenth] - log[tenth - 1]


def _memory() -> float:
    """What this process has in memory now, in MB. Raises BenchmarkError where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError as error:
        raise BenchmarkError("the system does not tell what memory a process has") from error
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
