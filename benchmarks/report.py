"""What a benchmark found: figures with their spread and goal, the machine and the commit."""

from __future__ import annotations

import math
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

ROOT = Path(__file__).parent.parent
COLUMNS = ("figure", "n", "p50", "p99", "max", "unit", "goal", "met")


class BenchmarkError(Exception):
    """The benchmark could not be carried out; the message says why."""


class Goal(msgspec.Struct, frozen=True):
    """What a figure shall reach: one of its statistics at most (or at least) this much."""

    limit: float
    statistic: Literal["p50", "p99", "max"] = "p50"
    at_least: bool = False

    def __str__(self) -> str:
        return f"{self.statistic} {'>=' if self.at_least else '<='} {self.limit:g}"

    def met_by(self, value: float) -> bool:
        return value >= self.limit if self.at_least else value <= self.limit


class Figure(msgspec.Struct, frozen=True):
    """One thing measured `n` times. A share or a count stands in `p50`; p99 and max are None then."""

    figure: str
    n: int
    p50: float
    p99: float | None
    max: float | None
    unit: str
    goal: str | None = None
    met: bool | None = None


class Report(msgspec.Struct, frozen=True):
    """A benchmark's figures, and where they were measured; `notes` say in words what was skipped, and why."""

    name: str
    machine: str
    commit: str
    figures: tuple[Figure, ...]
    notes: tuple[str, ...] = ()


def measured(name: str, samples: Sequence[float], unit: str, goal: Goal | None = None) -> Figure:
    """The figure of a series of measurements. Raises BenchmarkError when there are none."""
    if not samples:
        raise BenchmarkError(f"nothing was measured for {name!r}")
    spread = {"p50": percentile(samples, 50), "p99": percentile(samples, 99), "max": max(samples)}
    met = None if goal is None else goal.met_by(spread[goal.statistic])
    return Figure(name, len(samples), spread["p50"], spread["p99"], spread["max"], unit, _words(goal), met)


def counted(name: str, value: float, n: int, unit: str, goal: Goal | None = None) -> Figure:
    """A share or a count over `n` cases."""
    met = None if goal is None else goal.met_by(value)
    return Figure(name, n, value, None, None, unit, _words(goal), met)


def _words(goal: Goal | None) -> str | None:
    return None if goal is None else str(goal)


def percentile(samples: Sequence[float], share: float) -> float:
    """The smallest sample that at least `share` per cent of all are not above (nearest rank)."""
    ordered = sorted(samples)
    return ordered[max(0, math.ceil(share / 100 * len(ordered)) - 1)]


def report(name: str, *figures: Figure, notes: Sequence[str] = ()) -> Report:
    """The figures with this machine and the commit checked out."""
    return Report(name, machine(), commit(), figures, tuple(notes))


def table(found: Report) -> str:
    """The report for people."""
    rows = [COLUMNS, *(tuple(_cell(getattr(each, name)) for name in COLUMNS) for each in found.figures)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(COLUMNS))]
    lines = ["  ".join(_aligned(cell, i, widths[i]) for i, cell in enumerate(row)).rstrip() for row in rows]
    lines.insert(1, "  ".join("-" * width for width in widths))
    notes = ["", *found.notes] if found.notes else []
    return "\n".join([f"{found.name} at {found.commit} on {found.machine}", "", *lines, *notes])


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "NO"
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"
    return "" if value is None else str(value)


def _aligned(cell: str, column: int, width: int) -> str:
    return cell.rjust(width) if COLUMNS[column] in ("n", "p50", "p99", "max") else cell.ljust(width)


def machine() -> str:
    """Processors, memory, system and Python in one line, without the machine's name."""
    parts = [f"{os.cpu_count()} x {_processor()}", *_memory(), _system()]
    return ", ".join([*parts, f"Python {platform.python_version()}"])


def _processor() -> str:
    lines = _lines(Path("/proc/cpuinfo"))
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())


def _memory() -> list[str]:
    total = next(
        (line.split()[1] for line in _lines(Path("/proc/meminfo")) if line.startswith("MemTotal")), None
    )
    return [f"{int(total) / 1024**2:.0f} GiB"] if total else []


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def _system() -> str:
    if sys.platform == "linux":
        return platform.freedesktop_os_release().get("PRETTY_NAME", "Linux")
    return f"{platform.system()} {platform.release()}"


def commit() -> str:
    """The commit checked out, with a + when files differ from it; "unknown" outside a checkout."""
    head = _git("rev-parse", "--short", "HEAD")
    return (
        f"{head}{'+' if _git('status', '--porcelain', '--untracked-files=no') else ''}" if head else "unknown"
    )


def _git(*words: str) -> str:
    try:
        ran = subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return ""
    return ran.stdout.strip()
