"""Starts the orchestrator of a project's environments: in a bubblewrap box, or without one where the user wants it so."""

from __future__ import annotations

import compileall
import os
import queue
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import IO

import msgspec

from desktop_agent.extras.project import orchestrator
from desktop_agent.extras.project.sandboxes.project_git import ProjectGit
from desktop_agent.platforms.allowed_network.allow_list import AllowList
from desktop_agent.platforms.allowed_network.network_gate import PROXIES, NetworkGate
from desktop_agent.platforms.folder_walk import HomeWatch
from desktop_agent.platforms.posix import bubblewrap
from desktop_agent.platforms.posix.bubblewrap import INSIDE, Box, BoxLimits, Mount
from desktop_agent.platforms.posix.process_tree import kill_with_descendants
from desktop_agent.support import resources

_GATE, _DOOR = (f"{INSIDE}/{each}" for each in ("network", "network-door"))
SOURCES = Path(orchestrator.__file__).parent
PLACE = orchestrator.__name__.replace(".", "/")
"""The orchestrator's own files, which are all that a sandbox needs."""
GRAMMARS = ("tree_sitter", "tree_sitter_c", "tree_sitter_cpp", "tree_sitter_javascript", "tree_sitter_typescript", "tree_sitter_go", "tree_sitter_rust", "tree_sitter_java", "tree_sitter_bash")  # fmt: skip
"""Packages by which the editor understands other languages than Python, where they are installed."""
_MOST_SAID = 2_000


class OrchestratorLimits(msgspec.Struct, frozen=True):
    """What one orchestrator may take, and the list of servers that it may reach; None for no network."""

    box: BoxLimits = BoxLimits()
    allowed: AllowList | None = None


def entry(packages: str, sources: str) -> str:
    """Python code that runs the orchestrator from these folders: of our packages, and of installed ones ("" for none)."""
    more = f"sys.path.append({packages!r}); " if packages else ""
    return f"import sys; {more}sys.path.insert(0, {sources!r}); from {orchestrator.__name__}.orchestrator import main; main()"


class PipedProcess:
    """A process that is spoken to by its standard input and output; it ends with all that runs below it."""

    def __init__(self, argv: list[str], environment: dict[str, str], folder: Path) -> None:
        """Start it. Raises OSError."""
        self._said = b""
        started: queue.SimpleQueue[subprocess.Popen[bytes] | OSError] = queue.SimpleQueue()
        live = partial(self._live, argv, environment, folder, started.put)
        self._life = threading.Thread(target=live, name="sandbox", daemon=True)
        self._life.start()
        process = started.get()
        if isinstance(process, OSError):
            raise process
        self._process = process
        self._input, self._output, _ = _piped(process)

    def fileno(self) -> int:
        return self._output.fileno()

    def read(self) -> bytes:
        return os.read(self.fileno(), 1 << 16)

    def write(self, data: bytes) -> None:
        self._input.write(data)
        self._input.flush()

    def complaint(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        self._life.join(1.0)
        lines = [line for line in self._said.decode(errors="replace").splitlines() if line.strip()]
        return lines[-1].strip() if lines else ""

    def end(self) -> None:
        """Kill it, and everything below it."""
        if self._process.poll() is None:
            kill_with_descendants(self._process.pid)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(5.0)

    def _live(
        self,
        argv: list[str],
        environment: dict[str, str],
        folder: Path,
        started: Callable[[subprocess.Popen[bytes] | OSError], None],
    ) -> None:
        """Start it, and hear its complaints as long as it lives: a box ends with the very thread that made it (prctl(2))."""
        try:
            process = subprocess.Popen(
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                cwd=folder,
                start_new_session=True,
            )
        except OSError as error:
            started(error)
            return
        started(process)
        with _piped(process)[2] as stream:
            while data := os.read(stream.fileno(), 4_096):
                self._said = (self._said + data)[-_MOST_SAID:]
        process.wait()


def _piped(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    if process.stdin is None or process.stdout is None or process.stderr is None:
        raise RuntimeError("A process was started without its pipes.")
    return process.stdin, process.stdout, process.stderr


class BoxedOrchestrator(PipedProcess):
    """The orchestrator as the first process of a bubblewrap box, in which there is only the project."""

    def __init__(self, project: Path, limits: OrchestratorLimits, git: ProjectGit) -> None:
        """Start it. Raises ConfigError, TargetError, OSError."""
        bubblewrap.require_bubblewrap()
        bubblewrap.require_owner(project)
        _compile_once()
        self._folder = Path(tempfile.mkdtemp(prefix="desktop-agent-"))
        self._gate: NetworkGate | None = None
        self._watch: HomeWatch | None = None
        self._why = ""
        try:
            if limits.allowed is not None:
                self._gate = NetworkGate(self._folder / "network", limits.allowed)
            proxies = PROXIES if self._gate is not None else {}
            variables = {"LANG": "C.UTF-8", **bubblewrap.variables(os.environ), **proxies}
            super().__init__(self._command(project, limits.box, git.mounts), variables, project)
        except BaseException:
            self._clear()
            raise
        self._watch = HomeWatch((project, *git.places), lambda: limits.box.home, self._end_for)

    def _command(self, project: Path, limits: BoxLimits, over: tuple[Mount, ...]) -> list[str]:
        python, placed = bubblewrap.interpreter()
        placed += [(str(SOURCES), f"{INSIDE}/{PLACE}")]
        packages = [(str(path), f"{INSIDE}/packages/{path.name}") for path in grammars()]
        placed += [*packages, *bubblewrap.write_identity(self._folder)]
        run = [
            python,
            "-I",
            "-S",
            "-B",
            "-X",
            "utf8",
            "-c",
            entry(f"{INSIDE}/packages" if packages else "", INSIDE),
        ]
        if self._gate is not None:
            placed += [
                (str(self._folder / "network"), _GATE),
                (str(resources.path("sandbox", "network-door")), _DOOR),
            ]
            # The door is left to the orchestrator, which ends with the box.
            run = ["sh", "-c", f'"$0" -I -S {_DOOR} </dev/null >/dev/null & exec "$0" "$@"', *run]
        box = Box(str(project), placed=tuple(placed), limits=limits, over=over)
        return box.first_process(run)

    def complaint(self) -> str:
        return self._why or super().complaint()

    def end(self) -> None:
        super().end()
        self._clear()

    def _end_for(self, why: str) -> None:
        self._why = why
        super().end()

    def _clear(self) -> None:
        if self._watch is not None:
            self._watch.end()
        if self._gate is not None:
            self._gate.close()
        shutil.rmtree(self._folder, ignore_errors=True)


class FreeOrchestrator(PipedProcess):
    """The orchestrator without a sandbox: what it runs can do whatever this program can."""

    def __init__(self, project: Path) -> None:
        """Start it. Raises OSError."""
        packages = str(grammars()[0].parent) if grammars() else ""
        code = entry(packages, str(SOURCES.parents[PLACE.count("/")]))
        super().__init__(
            [sys.executable, "-I", "-S", "-B", "-X", "utf8", "-c", code], dict(os.environ), project
        )


@cache
def _compile_once() -> None:
    """Compile the orchestrator's files where that was not done yet: in there it could not be kept, and takes 40 ms each time."""
    compileall.compile_dir(SOURCES, quiet=2)


def grammars() -> list[Path]:
    """The folders of the grammars that are installed."""
    place = Path(sysconfig.get_path("platlib"))
    return [place / name for name in GRAMMARS if (place / name).is_dir()]
