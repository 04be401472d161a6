"""A project's environments in a bubblewrap box: from the start to the first answer, and from a command to what came of it."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.report import Figure, Goal, Report, measured, report
from desktop_agent.extras.project.sandboxes.project_git import ProjectGit
from desktop_agent.extras.project.tools import project
from desktop_agent.extras.project.tools._orchestrator_link import OrchestratorLink
from desktop_agent.extras.project.tools._project_sandboxes import starter
from desktop_agent.extras.project.tools.project import Project
from desktop_agent.platforms.posix import bubblewrap
from desktop_agent.protocol import ops
from desktop_agent.protocol.stop_flag import StopFlag

COMMAND, EDITOR, START = Goal(3.0), Goal(5.0), Goal(40.0)
VIEWS, LINES = 5, 500


def run(quick: bool) -> Report:
    """Times in ms; each answer brings the screens of all three environments."""
    times = 20 if quick else 300
    with _project() as folder:
        options = project.Options(folder=str(folder), sandbox="bubblewrap")
        starts, screens = _starts(folder, options, 5 if quick else 40)
        place = Project(folder, options)
        place.start()
        try:
            figures = list(_round_trips(place, times))
        finally:
            place.close()
    return report(
        "environments",
        measured("start in bubblewrap, until the orchestrator is ready", starts, "ms", START),
        measured("start in bubblewrap, until the first screen of all three", screens, "ms"),
        *figures,
    )


@contextmanager
def _project() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        bubblewrap.give(Path(folder))
        for number in range(VIEWS):
            source = "\n\n".join(
                f"def f{each}(value):\n    total = value + {each}\n    return total"
                for each in range(LINES // 5)
            )
            path = Path(folder) / f"module{number}.py"
            path.write_text(source + "\n")
            bubblewrap.give(path)
        yield Path(folder)


def _starts(folder: Path, options: project.Options, times: int) -> tuple[list[float], list[float]]:
    ready, shown = [], []
    for _ in range(times):
        began = time.perf_counter()
        link = OrchestratorLink(starter(folder, options, ProjectGit(folder)))
        ready.append(_since(began))
        link.ask({"do": "screen"}, 20)
        shown.append(_since(began))
        link.end()
    return ready, shown


def _round_trips(place: Project, times: int) -> Iterator[Figure]:
    yield measured(
        "bash: a command and what it printed", _timed(place, "bash", "echo hi", times), "ms", COMMAND
    )
    yield measured(
        "python: an expression and its value", _timed(place, "python", "1 + 1", times), "ms", COMMAND
    )
    for number in range(VIEWS):
        _done(place, "editor", f"open module{number}.py function f{number}")
    yield measured(
        f"editor: a view scrolled, with {VIEWS} views of files of {LINES} lines",
        [*_scrolled(place, times)],
        "ms",
        EDITOR,
    )
    yield measured(
        "editor: a change that moves what is viewed, and its view", [*_changed(place, times)], "ms", EDITOR
    )
    yield measured("bash, with these views beside it", _timed(place, "bash", "true", times), "ms", COMMAND)


def _timed(place: Project, environment: str, command: str, times: int) -> list[float]:
    return [_done(place, environment, command) for _ in range(times)]


def _scrolled(place: Project, times: int) -> Iterator[float]:
    _done(place, "editor", "open module0.py")
    for number in range(times):
        yield _done(place, "editor", f"scroll {VIEWS + 1} {'up' if number % 2 else 'down'} 5")


def _changed(place: Project, times: int) -> Iterator[float]:
    for number in range(times):
        yield _done(place, "editor", f"insert module1.py 1\n# {number}\n")


def _done(place: Project, environment: str, command: str) -> float:
    began = time.perf_counter()
    response = place.execute(ops.Run(environment, command), StopFlag())
    took = _since(began)
    if response.outcome != "done":
        raise RuntimeError(f"{environment}: {command}: {response.text}")
    return took


def _since(began: float) -> float:
    return (time.perf_counter() - began) * 1_000
