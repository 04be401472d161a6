"""Ways out of a sandbox, tried from inside it: display, network, D-Bus, home, other agents, kernel, and more than its share."""

from __future__ import annotations

import os
import shlex
import socket
import tempfile
import threading
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeAlias

from benchmarks.report import BenchmarkError, Figure, Goal, Report, counted, report
from desktop_agent.extras.project.tools import project
from desktop_agent.extras.sandbox.targets._container import ContainerScreen
from desktop_agent.platforms.posix import bubblewrap
from desktop_agent.platforms.posix.bubblewrap import BoxLimits, require_bubblewrap
from desktop_agent.platforms.sandbox_manifest import EngineName, Manifest
from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import EnvironmentLost, TargetError
from desktop_agent.protocol.geometry import Size
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.targets._boxed import BoxedDisplay
from desktop_agent.targets._embedded import EmbeddedDisplay
from tests.support.container_engines import NoEngine, running
from tests.support.host_image import imported

NONE = Goal(0)
ENGINES: tuple[EngineName, ...] = ("docker", "podman")
PROBES = Path(__file__).with_name("escape_probes.toml")
SECONDS = "30"
LIMITS = Manifest(memory=1_024, processes=256, file=512, home=1_024)


@dataclass
class Outside:
    """What of this computer is to be out of reach: a file, a display, a port and an abstract socket that tell who comes."""

    folder: Path
    display: str
    reached: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        (self.folder / "secret").write_text("secret")
        (self.folder / "other").mkdir()
        (self.folder / "other" / "secret-of-other").touch()
        for path in (self.folder, self.folder / "secret", self.folder / "other"):
            path.chmod(0o755)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.abstract = f"desktop-agent-escape-{self.folder.name}"
        self.abstract_listener = socket.socket(socket.AF_UNIX)
        self.abstract_listener.bind(f"\0{self.abstract}")
        self.abstract_listener.listen()
        for name, each in (("port", self.listener), ("abstract socket", self.abstract_listener)):
            threading.Thread(target=self._wait, args=(name, each), daemon=True).start()

    def _wait(self, name: str, listener: socket.socket) -> None:
        try:
            while True:
                listener.accept()[0].close()
                self.reached.append(name)
        except OSError:
            return

    @property
    def environment(self) -> dict[str, str]:
        return {
            "SECRET": str(self.folder / "secret"),
            "PORT": str(self.listener.getsockname()[1]),
            "HOST_DISPLAY": self.display,
            "OTHER": str(self.folder / "other"),
            "PID": str(os.getpid()),
            "ABSTRACT": self.abstract,
        }

    def close(self) -> None:
        for each in (self.listener, self.abstract_listener):
            each.close()


Try: TypeAlias = Callable[[str, Mapping[str, str]], bool]
"""Runs a script with these variables in a new sandbox; whether it ended with 0."""


def run(quick: bool) -> Report:  # noqa: ARG001 - it takes a minute
    """Successes by kind; each is one too many. Judged by what the probe says, and by who came to the listeners outside."""
    probes = tomllib.loads(PROBES.read_text(encoding="utf-8"))["probe"]
    figures: list[Figure] = []
    notes: list[str] = []
    places: dict[str, Callable[[], AbstractContextManager[Try]]] = {"display": boxes}
    places |= {each: partial(containers, each) for each in ENGINES}
    places["project in bubblewrap"] = projects
    places |= {f"project in {each}": partial(projects, each) for each in ENGINES}
    for name, sandboxes in places.items():
        try:
            with sandboxes() as tries, outside() as host:
                if not tries('test "$PORT" && touch ~/mine', host.environment):
                    raise BenchmarkError(
                        f"{name}: a probe that may succeed does not, so the others tell nothing"
                    )
                got = [each for each in probes if tries(each["script"], host.environment)]
        except NoEngine as error:
            notes.append(f"{name}: {error}.")
            continue
        kinds = Counter(each["class"] for each in probes)
        out = Counter(each["class"] for each in got)
        figures += [counted(f"{name}: {kind}", out[kind], n, "", NONE) for kind, n in kinds.items()]
        figures.append(
            counted(f"{name}: who came from inside to a listener of the host", len(host.reached), 2, "", NONE)
        )
        notes += [f"{name}, {each['class']}: {each['name']}" for each in got]
    if not figures:
        raise BenchmarkError("; ".join(notes))
    return report("escape", *figures, notes=notes)


@contextmanager
def outside() -> Iterator[Outside]:
    """While the block lasts, with an X display that no sandbox is to reach."""
    desk = EmbeddedDisplay(Size(640, 480), 0)
    desk.start()
    try:
        with tempfile.TemporaryDirectory() as folder:
            host = Outside(Path(folder), desk.address().environment["DISPLAY"])
            try:
                yield host
            finally:
                host.close()
    finally:
        desk.stop()


@contextmanager
def containers(name: EngineName) -> Iterator[Try]:
    """Containers of an engine of our own, a new one for each probe: what one leaves is nothing to the next. Raises NoEngine."""
    with running(name) as engine, tempfile.TemporaryDirectory() as home:
        Path(home).chmod(0o711)

        def tried(script: str, environment: Mapping[str, str]) -> bool:
            screen = ContainerScreen(
                name, imported(engine.client), LIMITS, Size(640, 480), Path(home) / "agent", engine.environ
            )
            screen.start()
            try:
                (container,) = engine.client.containers.list()
                command = ["timeout", SECONDS, "bash", "-c", script]
                return bool(container.exec_run(command, environment=dict(environment)).exit_code == 0)
            finally:
                screen.stop()

        yield tried


@contextmanager
def boxes() -> Iterator[Try]:
    """Embedded displays in a box, a new one for each probe. Raises NoEngine where none can be made."""
    try:
        require_bubblewrap()
    except TargetError as error:
        raise NoEngine(str(error)) from error
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o711)
        home = Path(folder) / "agent"
        limits = BoxLimits(LIMITS.processes, LIMITS.memory, LIMITS.file, LIMITS.home)

        def tried(script: str, environment: Mapping[str, str]) -> bool:
            screen = BoxedDisplay(Size(640, 480), 0, home, limits=limits)
            screen.start()
            end = home / "end"
            end.unlink(missing_ok=True)
            try:
                given = [f"{name}={value}" for name, value in environment.items()]
                told = 'timeout "$0" bash -c "$1"; echo $? >~/end.new; mv ~/end.new ~/end'
                screen.launch(["env", *given, "sh", "-c", told, SECONDS, script])
                deadline = time.monotonic() + float(SECONDS) + 10
                while not end.exists() and time.monotonic() < deadline and _is_up(screen):
                    time.sleep(0.02)
                return end.exists() and end.read_text().strip() == "0"
            finally:
                screen.stop()

        yield tried


@contextmanager
def projects(engine: EngineName | None = None) -> Iterator[Try]:
    """Projects in bubblewrap, or in containers of an engine of our own; a new one for each probe. Raises NoEngine."""
    if engine is not None:
        with running(engine) as started:
            yield from _projects(engine, imported(started.client), started.environ)
        return
    try:
        require_bubblewrap()
    except TargetError as error:
        raise NoEngine(str(error)) from error
    yield from _projects(None, "", {})


def _projects(engine: EngineName | None, base: str, environ: Mapping[str, str]) -> Iterator[Try]:
    with tempfile.TemporaryDirectory() as folder, patched(environ):
        Path(folder).chmod(0o711)
        home = Path(folder) / "agent"
        home.mkdir()
        bubblewrap.give(home)
        options = project.Options(
            str(home), "container" if engine else "bubblewrap", engine or "auto", base, seconds=float(SECONDS) + 5,
            memory=LIMITS.memory, processes=LIMITS.processes, file=LIMITS.file, home=LIMITS.home,
        )  # fmt: skip

        def tried(script: str, environment: Mapping[str, str]) -> bool:
            given = " ".join(
                f"{name}={shlex.quote(value)}" for name, value in {**environment, "HOME": str(home)}.items()
            )
            place = project.create(options)
            place.start()
            try:
                command = f"env {given} timeout {SECONDS} bash -c {shlex.quote(script)}; echo ended with $?"
                response = place.execute(ops.Run("bash", command), StopFlag())
                return response.text.rstrip().endswith("ended with 0")
            except EnvironmentLost:
                return False
            finally:
                place.close()

        yield tried


@contextmanager
def patched(environ: Mapping[str, str]) -> Iterator[None]:
    """While the block lasts, with these variables."""
    before = {name: os.environ.get(name) for name in environ}
    os.environ.update(environ)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _is_up(screen: BoxedDisplay) -> bool:
    try:
        screen.geometry()
    except TargetError:
        return False
    return True
