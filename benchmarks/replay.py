"""How long a run of 500 steps takes to export as a page and as MP4, and to be found by its words."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.report import BenchmarkError, Figure, Goal, Report, measured, report
from desktop_agent.history.run_export import ExportKind, export_run
from desktop_agent.history.run_index import find_runs
from desktop_agent.history.run_query import RunQuery
from tests.support.recorded_run import long_run

STEPS = 500
GOALS: dict[ExportKind, Goal | None] = {"html": Goal(2.0), "mp4": Goal(20.0), "jsonl": None}


def run(quick: bool) -> Report:
    """Record a run with the real store, export it in every way, and find it."""
    steps = 20 if quick else STEPS
    with tempfile.TemporaryDirectory() as place:
        runs = Path(place) / "runs"
        folder = long_run(runs, steps)
        size = sum(each.stat().st_size for each in folder.rglob("*") if each.is_file()) / 1e6
        return report(
            "replay",
            *_exports(folder, steps),
            _search(runs),
            notes=(f"The run has {steps} steps and {size:,.0f} MB; its pictures are of 1280x720.",),
        )


def _exports(folder: Path, steps: int) -> Iterator[Figure]:
    for kind, goal in GOALS.items():
        began = time.monotonic()
        export_run(folder, kind, folder.parent.parent / f"out.{kind}")
        yield measured(f"{steps} steps to {kind.upper()}", [time.monotonic() - began], "s", goal)


def _search(runs: Path) -> Figure:
    find_runs(runs)
    times = []
    for _ in range(20):
        began = time.monotonic()
        if not find_runs(runs, RunQuery(words="shop page")):
            raise BenchmarkError("the run was not found")
        times.append((time.monotonic() - began) * 1_000)
    return measured("words found in the index", times, "ms")
