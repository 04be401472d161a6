"""From the start of a sandbox to its first picture: embedded display, container of Docker, container of Podman."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.report import Figure, Goal, Report, measured, report
from desktop_agent.extras.sandbox.targets._container import ContainerScreen
from desktop_agent.platforms.posix.bubblewrap import is_usable
from desktop_agent.platforms.sandbox_manifest import Manifest
from desktop_agent.protocol.geometry import Size
from desktop_agent.targets._boxed import BoxedDisplay
from desktop_agent.targets._embedded import EmbeddedDisplay
from desktop_agent.targets.base import Target
from tests.support.container_engines import NoEngine, running
from tests.support.host_image import imported

DISPLAY, CONTAINER = Goal(0.15), Goal(1.0)
SIZE = Size(1280, 800)


def run(quick: bool) -> Report:
    """Times in s; the image is there, as after the first start."""
    times = 5 if quick else 30
    notes: list[str] = []
    found = [
        measured("embedded display (Xvfb)", _starts(lambda: EmbeddedDisplay(SIZE, 0), times), "s", DISPLAY),
        measured(
            "embedded display that people can watch (Xvnc)",
            _starts(lambda: EmbeddedDisplay(SIZE, 0, viewers=True), times),
            "s",
        ),
        *_boxed(times, notes),
        *_contained("docker", times, notes),
        *_contained("podman", times, notes),
    ]
    return report("sandbox", *found, notes=notes)


def _boxed(times: int, notes: list[str]) -> list[Figure]:
    if not is_usable():
        notes.append("no box can be made here")
        return []
    with tempfile.TemporaryDirectory() as home:
        Path(home).chmod(0o711)
        starts = _starts(lambda: BoxedDisplay(SIZE, 0, Path(home) / "home"), times)
        return [measured("embedded display in a box (bubblewrap)", starts, "s", DISPLAY)]


def _contained(name: str, times: int, notes: list[str]) -> list[Figure]:
    try:
        with running(name) as engine, tempfile.TemporaryDirectory() as home:
            base = imported(engine.client)

            def made() -> Target:
                return ContainerScreen(name, base, Manifest(), SIZE, Path(home) / "home", engine.environ)  # type: ignore[arg-type]

            _starts(made, 1)  # builds the image
            return [measured(f"container ({name})", _starts(made, times), "s", CONTAINER)]
    except NoEngine as error:
        notes.append(f"{name}: {error}.")
        return []


def _starts(make: Callable[[], Target], times: int) -> list[float]:
    found = []
    for _ in range(times):
        target = make()
        began = time.perf_counter()
        target.start()
        target.observe()
        found.append(time.perf_counter() - began)
        target.stop()
    return found
