"""Ways out of a sandbox, tried from inside it: display, network, D-Bus, home, other agents, kernel, and more than its share."""

from __future__ import annotations

import os
import socket
import tempfile
import threading
import tomllib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.lab.container_engines import NoEngine, RunningEngine, running
from benchmarks.lab.host_image import imported
from benchmarks.report import BenchmarkError, Figure, Goal, Report, counted, report
from desktop_agent.platforms.containers.engines import EngineName
from desktop_agent.platforms.containers.manifest import Manifest
from desktop_agent.protocol.geometry import Size
from desktop_agent.targets._container import ContainerScreen
from desktop_agent.targets._embedded import EmbeddedDisplay

NONE = Goal(0)
ENGINES: tuple[EngineName, ...] = ("docker", "podman")
PROBES = Path(__file__).parent / "lab" / "escape_probes.toml"
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


def run(quick: bool) -> Report:  # noqa: ARG001 - it takes a minute
    """Successes by kind; each is one too many. Judged by what the probe says, and by who came to the listeners outside."""
    probes = tomllib.loads(PROBES.read_text(encoding="utf-8"))["probe"]
    figures: list[Figure] = []
    notes: list[str] = []
    for name in ENGINES:
        try:
            with running(name) as engine, outside() as host:
                got = list(_got_out(engine, name, host, probes))
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


def _got_out(
    engine: RunningEngine, name: EngineName, host: Outside, probes: list[dict[str, str]]
) -> Iterator[dict[str, str]]:
    with tempfile.TemporaryDirectory() as home:
        Path(home).chmod(0o711)
        for probe in probes:  # each in a sandbox of its own: what one leaves is nothing to the next
            screen = ContainerScreen(
                name, imported(engine.client), LIMITS, Size(640, 480), Path(home) / "agent", engine.environ
            )
            screen.start()
            try:
                (container,) = engine.client.containers.list()
                command = ["timeout", SECONDS, "bash", "-c", probe["script"]]
                if container.exec_run(command, environment=host.environment).exit_code == 0:
                    yield probe
            finally:
                screen.stop()
