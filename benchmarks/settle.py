"""From an action to the settled screen, on real applications: seconds beyond the application's own, and how often too early."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.report import ROOT, BenchmarkError, Figure, Goal, Report, counted, measured, report
from benchmarks.settling.pages import served
from benchmarks.settling.scenes import Scene, Step, scenes
from benchmarks.swapping.stage import Stage, stage
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.ops import Op
from desktop_agent.targets import display
from desktop_agent.vision.capture.frame import Frame, changed_areas
from desktop_agent.vision.encoding.encode import crop
from desktop_agent.vision.observation import Observation
from desktop_agent.vision.settling.patch_match import same_shapes

AFTERWARDS = 1.0
"""Seconds for which it is watched whether something changes after all."""
CARET = (3, 48)
TIP = 28
"""Pixels at the foot of a window where a browser shows for a while what is pointed at."""
ASIDE, PARKED = (2, 2), 0.0
SIZE = display.Options(1920, 1080)
ROUNDS, QUICK_ROUNDS = 5, 1


@dataclass
class Watcher:
    """A process that says when something changed, read by a thread."""

    environment: dict[str, str]
    changes: list[tuple[float, Rect]] = field(default_factory=list)

    def __enter__(self) -> Watcher:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.settling.watcher"],
            env=self.environment, cwd=ROOT, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        if self._process.stdout is None or self._process.stdout.readline() != "ready\n":
            raise BenchmarkError("the watcher did not start")
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()
        return self

    def _read(self) -> None:
        for line in self._process.stdout or ():
            at, *place = line.split()
            x, y, width, height = map(int, place)
            self.changes.append((float(at), Rect(x, y, width, height)))

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._thread.join()


@dataclass(frozen=True)
class Found:
    """One action: seconds until the application's last change and until we called it settled; `late` came after that."""

    kind: str
    own: float
    settled: float
    late: tuple[Rect, ...]

    @property
    def beyond(self) -> float:
        return self.settled - self.own


def run(quick: bool) -> Report:
    """Work real applications with the real hand; watch for long afterwards."""
    found: list[Found] = []
    with tempfile.TemporaryDirectory() as folder, served() as address:
        (Path(folder) / "within").mkdir()
        for name in ("one.txt", "two.txt"):
            (Path(folder) / "within" / name).write_text("words\n", encoding="utf-8")
        for scene in scenes(Path(folder) / "within", address):
            found += played(scene, QUICK_ROUNDS if quick else ROUNDS)
    return report("settle", *_figures(found), notes=[*_told(found)])


def _figures(found: Sequence[Found]) -> Iterator[Figure]:
    for kind in dict.fromkeys(each.kind for each in found):
        yield measured(kind, [each.beyond for each in found if each.kind == kind], "s")
    yield measured("all, beyond the application's own time", [each.beyond for each in found], "s", Goal(0.08))
    early = [each for each in found if each.late]
    yield counted("too early", 100 * len(early) / len(found), len(found), "%", Goal(1.0))


def _told(found: Sequence[Found]) -> Iterator[str]:
    for each in found:
        if each.late:
            places = ", ".join(f"{a.width}x{a.height} at {a.x},{a.y}" for a in each.late[:3])
            yield f"Too early: {each.kind}, settled after {each.settled:.3f} s, then {places} changed."


def played(scene: Scene, rounds: int) -> Iterator[Found]:
    """Work an application of its own desktop for some rounds."""
    with stage(SIZE) as place, _running(place, scene), Watcher(dict(place.environment)) as watcher:
        for _ in range(rounds):
            for step in scene.steps:
                yield _measured(place, watcher, scene, step)


@contextmanager
def _running(place: Stage, scene: Scene) -> Iterator[None]:
    pid = place.launch(scene.title, *scene.argv)
    place.settle(patience=2.0)
    try:
        yield
    finally:
        os.kill(pid, 9)


def _measured(place: Stage, watcher: Watcher, scene: Scene, step: Step) -> Found:
    if step.op is not None:  # what was clicked before would show a tip under the pointer
        place.act(place.batch(place.look(), ops.Move(*ASIDE)))
        place.settle(patience=PARKED)
    before = place.look()
    results = place.act(place.batch(before, _op(place, step, before)))
    if results[-1].outcome != "done":
        raise BenchmarkError(f"{scene.name}: {step.kind} was {results[-1].outcome}: {results[-1].detail}")
    acted = time.monotonic()
    place.observer.settle(before, place.stop, 0.4)
    settled = time.monotonic()
    shown = place.target.observe()
    place.stop.wait(AFTERWARDS)
    later, seen = place.target.observe(), place.look()
    moving = (each.bounds for each in (*before.elements, *seen.elements) if each.name == step.moving != "")
    ignored = [Rect(each.x - 2, each.y - 2, each.width + 4, each.height + 4) for each in moving]
    ignored += [Rect(w.bounds.x, w.bounds.bottom - TIP, w.bounds.width, TIP) for w in place.target.windows()]
    late = tuple(
        a for a in changed_areas(shown, later)[0] if _matters(a, ignored) and not _recoloured(a, shown, later)
    )
    times = [at for at, area in watcher.changes if at <= settled and _matters(area, ignored)]
    own = max([at - acted for at in times if at > acted], default=0.0)
    return Found(f"{scene.name}: {step.kind}", own, settled - acted, late)


def _recoloured(area: Rect, shown: Frame, later: Frame) -> bool:
    """Is it no more than the look of a key that is let go?"""
    return same_shapes(crop(shown, area).pixels, crop(later, area).pixels, area.size)


def _op(place: Stage, step: Step, seen: Observation) -> Op:
    return step.op or ops.ClickElement(place.find(step.name, seen).id)


def _matters(area: Rect, ignored: Sequence[Rect]) -> bool:
    if area.width <= CARET[0] and area.height <= CARET[1]:
        return False
    return not any(area.intersection(each) == area for each in ignored)
