"""A project directory, worked in a sandbox: bash, Python, an editor, and the environments of the project's own `env` folder.

An orchestrator in the sandbox runs them (desktop_agent/extras/project/orchestrator); nothing of this computer is in there but the project.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from desktop_agent.extras.project.orchestrator.environment_child import BUILT_IN
from desktop_agent.extras.project.tools._orchestrator_link import OrchestratorLink
from desktop_agent.extras.project.tools._project_sandboxes import SandboxName, starter
from desktop_agent.extras.project.tools._tool_files import ToolFiles
from desktop_agent.platforms.allowed_network.allow_list import AllowList
from desktop_agent.platforms.posix.bubblewrap import require_home, require_owner
from desktop_agent.platforms.sandbox_manifest import (
    EngineName,
    Manifest,
    Megabytes,
)
from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import ConfigError, DesktopAgentError
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support.operating_system import LINUX
from desktop_agent.tools.base import Environment, Response
from desktop_agent.tools.files import Files

if TYPE_CHECKING:
    from desktop_agent.extras.project.sandboxes.project_git import ProjectGit

MOST_SHOWN = 40_000
"""Characters of all sections of the screen."""
_GRACE, _SCREEN_SECONDS = 8.0, 30.0
"""Seconds that the orchestrator has beyond a command's own, and for the screens: a module that is loaded may take its time."""

Seconds = Annotated[float, msgspec.Meta(ge=1, le=86_400)]


class Limits(Manifest, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a project's sandbox may take, unless the settings say otherwise."""

    memory: Megabytes = 4_096
    home: Megabytes = 16_384


class Options(Limits, frozen=True, forbid_unknown_fields=True):
    """`[environment.project]`: the project's folder, the sandbox, what it may take, and seconds that one command may take.

    `sandbox`: auto (bubblewrap, else a container), bubblewrap, container, or none: then commands can do whatever you can.
    `network` off, listed (what is in `allowed`), or on, which only a container has. Memory, the largest file and all files
    in megabytes; in bubblewrap memory is that of each process.
    """

    folder: str = ""
    sandbox: SandboxName = "auto"
    engine: EngineName = "auto"
    base: str = ""
    seconds: Seconds = 60.0


def create(options: Options) -> Environment:
    """The project of this folder, in a sandbox that is not started yet. Raises ConfigError."""
    if not options.folder:
        raise ConfigError(
            "No project directory is chosen.",
            "Say which: --project DIR, or `folder` in [environment.project].",
        )
    folder = Path(options.folder).expanduser()
    if not folder.is_absolute() or not folder.is_dir():
        raise ConfigError(
            f"{options.folder} is not the whole path of a directory.",
            "Set `folder` in [environment.project].",
        )
    require_home(folder)
    AllowList(options.allowed)
    return Project(folder.resolve(), options)


class Project(Environment):
    """Commands go to the orchestrator, files are read and written from outside, as those of the workspace."""

    name = "project"
    operations = frozenset(("run", "read_file", "write_file", "edit_file"))
    most_shown = MOST_SHOWN
    folder: Path

    def __init__(self, folder: Path, options: Options) -> None:
        self.folder, self._options = folder, options
        self.seconds = options.seconds + _GRACE + 2.0
        self.contained = options.sandbox != "none" and options.network != "on"
        self._files = Files(folder)
        self._link: OrchestratorLink | None = None
        self._git: ProjectGit | None = None
        self._found: list[str] = []
        """Sentences for the user that `findings` has not given yet."""
        self._tool_files: ToolFiles | None = None
        self._guard = threading.Lock()
        self._sections: list[dict[str, str]] = []
        self._about: dict[str, str] = dict.fromkeys(BUILT_IN, "")
        self._note = ""

    def named(self) -> tuple[str, ...]:
        return tuple(self._about)

    def about(self) -> Mapping[str, str]:
        return self._about

    def notice(self) -> str:
        options = self._options
        if options.sandbox == "none":
            return f"Commands run in {self.folder} without a sandbox: they can do whatever you can, and change what git and your other tools run."
        network = {
            "off": "without a network",
            "on": "with the network",
            "listed": f"with a network of {', '.join(options.allowed) or 'nothing'}",
        }
        return f"Commands run in a sandbox with {self.folder}, {network[options.network]}."

    def start(self) -> None:
        with self._guard:
            if self._link is None:
                self._git = self._kept_apart()
                try:
                    self._link = OrchestratorLink(starter(self.folder, self._options, self._git))
                except BaseException:
                    self._end_git()
                    raise
                self._learn(self._link)

    def _kept_apart(self) -> ProjectGit | None:
        """What keeps git outside apart from the sandbox; None without one. Raises ConfigError."""
        if self._options.sandbox == "none" or not LINUX:
            return None
        from desktop_agent.extras.project.sandboxes.project_git import ProjectGit

        require_owner(self.folder)
        return ProjectGit(self.folder)

    def _sweep(self) -> None:
        """Take over what was committed, and put aside what git outside would act on."""
        with self._guard:
            if self._git is not None:
                self._found += self._git.after_command()

    def _end_git(self) -> None:
        """Once the sandbox has ended: what was committed is taken over, and nothing stays that git outside would act on."""
        git, self._git = self._git, None
        if git is not None:
            self._found += git.end()

    def execute(self, op: Op, stop: StopFlag) -> Response:
        stop.check()
        if not isinstance(op, ops.Run):
            response = self._files.execute(op, stop)
            self._sweep()
            return response
        question = {
            "do": "run",
            "environment": op.environment,
            "command": op.command,
            "seconds": self._options.seconds,
        }
        answer = self._asked(question, self._options.seconds + _GRACE)
        self._take(answer)
        self._sweep()
        outcome: Any = answer.get("outcome") if answer.get("outcome") in ("done", "refused") else "failed"
        text = str(answer.get("text", ""))
        detail = _first_line(text) if outcome != "done" else ""
        return Response(outcome, detail, text, opened=self._opened(op) if outcome == "done" else "")

    def _opened(self, op: ops.Run) -> str:
        """The view that the editor has just opened, with its heading; "" for any other command."""
        if op.environment != "editor" or op.command.split(maxsplit=1)[0] not in ("open", "goto_definition"):
            return ""
        shown = next(
            (str(each.get("text", "")) for each in self._sections if each.get("name") == "editor"), ""
        )
        return shown[shown.rfind("\n> ") + 1 :]

    def screen(self) -> str:
        """The section of each environment below its name; why the sandbox was lost stands above them, once."""
        self._take(self._asked({"do": "screen"}, _SCREEN_SECONDS))
        note, self._note = self._note, ""
        return "\n\n".join(filter(None, (note, *self._shown())))

    def _shown(self) -> Iterator[str]:
        for each in self._sections:
            yield f"[{each.get('name', '')}]\n{each.get('text', '')}".rstrip()

    def _asked(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Raises DesktopAgentError: the next question gets a new sandbox then."""
        link = self._link
        if link is None:
            raise ConfigError("The project's sandbox is not started.", "Start it.")
        try:
            return link.ask(question, seconds)
        except DesktopAgentError as error:
            self._note = str(error)
            with self._guard:
                if self._link is link:
                    self._link = None
                    link.end()
                    self._end_git()
            raise

    def _take(self, answer: dict[str, Any]) -> None:
        sections = answer.get("screen")
        if isinstance(sections, list):
            self._sections = [each for each in sections if isinstance(each, dict)]
        if self._link is not None and {str(each.get("name")) for each in self._sections} != set(self._about):
            self._learn(self._link)

    def _learn(self, link: OrchestratorLink) -> None:
        """Ask which environments there are, and what each says of itself."""
        found = link.ask({"do": "health"}, _SCREEN_SECONDS).get("environments", ())
        ready = [each for each in found if isinstance(each, dict) and each.get("state") == "ready"]
        self._about = {str(each.get("name")): str(each.get("about", "")) for each in ready}

    def begin(self) -> None:
        self._tool_files = ToolFiles(self.folder, self._run_by_git())

    def _run_by_git(self) -> frozenset[str]:
        if not LINUX:
            return frozenset()
        from desktop_agent.extras.project.sandboxes.project_git import run_by_git
        from desktop_agent.extras.project.sandboxes.repository_copy import GitFailed

        try:
            return run_by_git(self.folder)
        except (GitFailed, OSError) as error:
            if (self.folder / ".git" / "HEAD").exists():  # a repository
                self._found.append(
                    f"Git does not tell what your hooks and settings lead it to ({error}), so changes of such files are "
                    "not shown: look for them yourself."
                )
            return frozenset()

    def findings(self) -> tuple[str, ...]:
        with self._guard:
            if self._git is not None:
                self._found += self._git.after_command()
            found, self._found = self._found, []
        changed = self._tool_files.changes() if self._tool_files is not None else ()
        return (*found, *changed)

    def stop(self) -> None:
        with self._guard:
            link, self._link = self._link, None
            if link is not None:
                link.end()
            self._end_git()


def _first_line(text: str) -> str:
    return next((line for line in text.splitlines() if line.strip()), "")[:200]
