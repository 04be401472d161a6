"""How long a run of 500 steps takes to export as a page, as MP4 and as GIF, and how long a 60 MB run blocks the window."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.lab.memory_desk import Bench, ScriptedModel
from benchmarks.lab.recorded_run import RecordedRun, desktop_picture
from benchmarks.report import BenchmarkError, Figure, Goal, Report, measured, report
from desktop_agent.history.run_export import ExportKind, export_run
from desktop_agent.history.run_index import find_runs
from desktop_agent.history.run_query import RunQuery
from desktop_agent.targets import display

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from desktop_agent.ui.history.player_window import PlayerWindow

STEPS, OPENINGS = 500, 5
GOALS: dict[ExportKind, Goal | None] = {"html": Goal(2.0), "mp4": Goal(20.0), "gif": None, "jsonl": None}
STALL = Goal(50.0, "max")


def run(quick: bool) -> Report:
    """Record a run with the real store, export it in every way, find it, and open it in the real window."""
    steps = 20 if quick else STEPS
    with tempfile.TemporaryDirectory() as place:
        runs = Path(place) / "runs"
        folder = _record(runs, steps)
        size = sum(each.stat().st_size for each in folder.rglob("*") if each.is_file()) / 1e6
        return report(
            "replay",
            *_exports(folder, steps),
            _search(runs),
            *_openings(folder, 2 if quick else OPENINGS, size),
            notes=(f"The run has {steps} steps and {size:,.0f} MB; its pictures are of 1280x720.",),
        )


def _record(runs: Path, steps: int) -> Path:
    recorded = RecordedRun(runs, picture=lambda number: desktop_picture(number, (1280, 720), 14))
    recorded.begin("Send the forms in the shop")
    for number in range(steps):
        recorded.click(300 + number * 1_300 // steps, 250 + 137 * number % 600)
    recorded.done()
    return recorded.close()


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


# ---- the window --------------------------------------------------------------------------------


def _openings(folder: Path, times: int, size: float) -> Iterator[Figure]:
    target = display.create(display.Options(width=1600, height=1000))
    target.start()
    before = dict(os.environ)
    os.environ.update(target.environment)
    try:
        rounds = _open_again_and_again(folder, times)
    finally:
        os.environ.clear()
        os.environ.update(before)
        target.stop()
    what = f"opening a run of {size:,.0f} MB"
    yield measured(f"{what}: longest stall of the UI thread", [each.stall for each in rounds], "ms", STALL)
    yield measured(f"{what}: of it computing", [each.computing for each in rounds], "ms", STALL)
    yield measured(f"{what}: until its first picture", [each.shown for each in rounds], "ms")


@dataclass
class Rounds:
    """The longest round of the event loop and the most computing of the UI thread in one; milliseconds, as all here."""

    stall: float = 0.0
    computing: float = 0.0
    shown: float = 0.0

    def time(self, act: Callable[[], object]) -> None:
        began, used = time.perf_counter(), time.thread_time()
        act()
        self.stall = max(self.stall, (time.perf_counter() - began) * 1_000)
        self.computing = max(self.computing, (time.thread_time() - used) * 1_000)

    def spin(self, app: QApplication, seconds: float, until: Callable[[], bool] = lambda: False) -> None:
        """Let Qt work until the condition holds or the time is over."""
        deadline = time.perf_counter() + seconds
        while time.perf_counter() < deadline and not until():
            self.time(app.processEvents)


def _open_again_and_again(folder: Path, times: int) -> list[Rounds]:
    """What each opening took, without the first one, which loads the code that the others have."""
    from desktop_agent.ui.history.open_history import open_run
    from desktop_agent.ui.run_window import WindowOptions, make_app, open_window

    app = make_app()
    found = []
    with tempfile.TemporaryDirectory() as settings:
        port = Bench(ScriptedModel(), Path(settings)).session
        window, bridge = open_window(port, WindowOptions(Path(settings), theme="light"))
        Rounds().spin(app, 0.5)
        for _ in range(times + 1):
            found.append(_open_once(app, lambda: open_run(window, folder, port)))
        window.close()
        bridge.close()
        window.deleteLater()
    app.shutdown()
    return found[1:]


def _open_once(app: QApplication, open_it: Callable[[], PlayerWindow]) -> Rounds:
    """Open a run, wait for its first picture, and step through it."""
    found = Rounds()
    players: list[PlayerWindow] = []
    began = time.perf_counter()
    found.time(lambda: players.append(open_it()))
    (player,) = players
    found.spin(app, 60, lambda: not player.picture.image.isNull())
    found.shown = (time.perf_counter() - began) * 1_000
    for _ in range(20):
        found.time(lambda: player.step(7))
        found.spin(app, 0.04)
    player.close()
    Rounds().spin(app, 0.1)
    return found
