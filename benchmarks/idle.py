"""What the program costs while nothing is asked of it: processor and memory of all its processes after a run."""

from __future__ import annotations

import contextlib
import os
import secrets
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import NamedTuple

from benchmarks.report import ROOT, BenchmarkError, Goal, Report, counted, report
from desktop_agent.targets import display
from tests.support.waiting import until

GOAL_WORDS = "wait 1 second"
MARK = "DESKTOP_AGENT_BENCH_MARK"
"""An environment variable that tells the program's processes from all others, whoever their parent is."""
_TICKS = os.sysconf("SC_CLK_TCK")


class Cost(NamedTuple):
    """A process: what it is, seconds of processor used while it was watched, and megabytes that are its own share."""

    name: str
    seconds: float
    megabytes: float


def run(quick: bool) -> Report:
    """Let the program do a run in its window, leave it alone, and look at it from outside."""
    rest, watched = (25.0, 20.0) if quick else (60.0, 60.0)
    target = display.create(display.Options())
    target.start()
    try:
        with tempfile.TemporaryDirectory() as home:
            costs = _watch({**target.environment, "HOME": home}, Path(home), rest, watched)
    finally:
        target.stop()
    shares = [100 * each.seconds / watched for each in costs]
    notes = [
        f"{each.name}: {share:.2f} % of a core, {each.megabytes:.0f} MB"
        for each, share in zip(costs, shares, strict=True)
    ]
    return report(
        "idle",
        counted(f"processor {rest:g} s after a run, all processes", sum(shares), len(costs), "% of a core", Goal(0.5)),
        counted("memory (PSS), all processes", sum(each.megabytes for each in costs), len(costs), "MB", Goal(160.0)),
        notes=notes,
    )  # fmt: skip


def _watch(session: dict[str, str], home: Path, rest: float, watched: float) -> list[Cost]:
    """What each process of a program costs that has done one run and rested since."""
    mark = secrets.token_hex(8)
    kept = {k: v for k, v in os.environ.items() if not k.endswith("_API_KEY") and not k.startswith("XDG_")}
    process = subprocess.Popen(
        [ROOT / "run", "--model", "offline", GOAL_WORDS],
        env={**kept, **session, MARK: mark},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until(lambda: _has_ended(home), "the end of the run")
        _rest(rest)
        before = {pid: _seconds(pid) for pid in _processes(mark)}
        _rest(watched)
        return [Cost(_name(pid), _seconds(pid) - began, _megabytes(pid)) for pid, began in before.items()]
    except FileNotFoundError as error:
        raise BenchmarkError("a process of the program ended while it was watched") from error
    finally:
        process.terminate()
        process.wait(30)


def _rest(seconds: float) -> None:
    threading.Event().wait(seconds)


def _has_ended(home: Path) -> bool:
    return any('"state":"done"' in each.read_text() for each in home.rglob("events.jsonl"))


def _processes(mark: str) -> list[int]:
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"{MARK}={mark}".encode() in (place / "environ").read_bytes():
                found.append(int(place.name))
    return found


def _name(pid: int) -> str:
    words = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
    return " ".join(each.rpartition("/")[2] for each in words if each)[:60]


def _seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _megabytes(pid: int) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1000
