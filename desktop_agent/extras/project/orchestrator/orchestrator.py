"""The orchestrator: the first process of a sandbox, which gives each command to the environment that it is for.

Requests come on standard input, answers go to standard output (`length_prefixed`); each request has an `id` that its answer repeats:

- `{"id", "do": "run", "environment": NAME, "command": TEXT, "seconds": N}` → `outcome` (done, failed, refused), `text`, `screen`;
- `{"id", "do": "screen"}` → `screen`: a list of `{"name", "text"}`, one for each environment, rebuilt now;
- `{"id", "do": "health"}` → `environments`: a list of `{"name", "state", "about"}`, and the processes that run.

It ends with its input, and everything that it started ends with it.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time

from desktop_agent.extras.project.orchestrator import length_prefixed, own_modules
from desktop_agent.extras.project.orchestrator.bounded_text import ends
from desktop_agent.extras.project.orchestrator.children import Children, keep_to_itself, kill_all
from desktop_agent.extras.project.orchestrator.environment_child import BUILT_IN, MOST_TOLD
from desktop_agent.extras.project.orchestrator.environment_process import (
    EnvironmentEnded,
    EnvironmentProcess,
    HungUp,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

    from desktop_agent.extras.project.orchestrator.length_prefixed import Message
    from desktop_agent.extras.project.orchestrator.own_modules import State

SECONDS = 60.0
"""A command's time where none is told."""
SCREEN_SECONDS = 2.0
"""All screens together."""


def main() -> None:
    """Serve the project in the working directory until the input ends."""
    keep_to_itself()
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.close(null)
    try:
        serve(Orchestrator(os.getcwd(), requests.fileno()), requests, answers)
    finally:
        kill_all()


def serve(orchestrator: Orchestrator, requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer requests until they end, or nobody reads the answers any more."""
    with contextlib.suppress(BrokenPipeError, HungUp):
        length_prefixed.send(answers, {"ready": True, "python": sys.version.split()[0]})
        while (request := length_prefixed.receive(requests)) is not None:
            length_prefixed.send(answers, {"id": request.get("id"), **orchestrator.answer(request)})


class Orchestrator:
    """The environments of one project; `hangup` as in EnvironmentProcess."""

    def __init__(self, project: str, hangup: int | None = None) -> None:
        self._project, self._hangup = project, hangup
        self._children = Children()
        self._processes: dict[str, EnvironmentProcess] = {}
        self._about: dict[str, str] = {}
        self._states: dict[str, State] = {}
        self._notes: dict[str, str] = {}
        """What the next screens say of an environment: that it was restarted and why, or why it is not loaded."""
        self._refused: dict[str, str] = {}

    def answer(self, request: Message) -> Message:
        """What is answered to one request."""
        self._children.reap()
        self._look_for_changes()
        kind = request.get("do")
        if kind == "run":
            found = self._run(request)
            self._look_for_changes()  # a module that the command wrote is there for the next one
            return {**found, "screen": self._screen()}
        if kind == "screen":
            return {"screen": self._screen()}
        if kind == "health":
            return {"environments": self._health()}
        return {"outcome": "refused", "text": f"{kind!r} is nothing that can be asked for."}

    # ---- commands ----------------------------------------------------------------------------

    def _run(self, request: Message) -> Message:
        name, command = request.get("environment"), request.get("command")
        if not isinstance(name, str) or not isinstance(command, str):
            return {"outcome": "refused", "text": "A command and its environment are texts."}
        if name not in self.names:
            why = self._notes.get(name)
            there = f"There is: {', '.join(self.names)}."
            return {
                "outcome": "refused",
                "text": f"There is no environment {name!r}. {there}"
                if why is None
                else f"{name} is not loaded. {why}",
            }
        self._notes.pop(name, None)
        try:
            found = self._process(name).run(command, float(request.get("seconds") or SECONDS))
        except EnvironmentEnded as ended:
            return self._restarted(name, str(ended))
        told = ends(f"{found['printed']}{_gap(found['printed'])}{found.get('text', '')}", MOST_TOLD)
        return {"outcome": "failed" if found.get("failed") else "done", "text": told}

    def _restarted(self, name: str, why: str) -> Message:
        process = self._processes.pop(name)
        printed = process.last_printed
        how = process.end()
        self._notes[name] = f"It was restarted, and what it held is gone: {why or how}."
        return {"outcome": "failed", "text": ends(f"{printed}{_gap(printed)}{self._notes[name]}", MOST_TOLD)}

    def _process(self, name: str) -> EnvironmentProcess:
        """The process of an environment that is known, begun where it is not running. Raises EnvironmentEnded."""
        if name in self._processes and not self._processes[name].is_running():
            how = self._processes.pop(name).end()
            self._notes[name] = f"It was restarted, and what it held is gone: {how}."
        if name not in self._processes:
            self._begin(name, self._path_of(name))
        return self._processes[name]

    def _begin(self, name: str, path: str) -> list[str]:
        """Begin a process and load the module; returns what is wrong with it. Raises EnvironmentEnded."""
        process = self._processes[name] = EnvironmentProcess(self._children, name, path, self._hangup)
        loaded = process.loaded()
        problems = [str(each) for each in loaded.get("problems", ())]
        if problems:
            self._processes.pop(name).end()
        else:
            self._about[name] = str(loaded.get("about", ""))
        return problems

    # ---- the project's own modules -----------------------------------------------------------

    @property
    def names(self) -> list[str]:
        """The environments that can be used, built-in ones first."""
        return [*BUILT_IN, *(name for name in self._states if name in self._about)]

    def _path_of(self, name: str) -> str:
        return "" if name in BUILT_IN else os.path.join(self._project, own_modules.FOLDER, f"{name}.py")

    def _look_for_changes(self) -> None:
        """Load what is new or changed in the folder of modules, and end what is gone."""
        found = own_modules.found_in(self._project)
        self._refused = found.refused
        for name in set(self._states) - set(found.modules):
            self._forget(name)
        for name, (path, state) in found.modules.items():
            if self._states.get(name) != state:
                self._forget(name)
                self._states[name] = state
                self._load(name, path)

    def _load(self, name: str, path: str) -> None:
        try:
            problems = self._begin(name, path)
        except EnvironmentEnded as ended:
            problems = [f"It could not be loaded: {ended or self._processes[name].end()}."]
            self._processes.pop(name, None)
        if problems:
            self._notes[name] = " ".join(problems)

    def _forget(self, name: str) -> None:
        self._states.pop(name, None)
        self._about.pop(name, None)
        self._notes.pop(name, None)
        if process := self._processes.pop(name, None):
            process.end()

    # ---- the screen --------------------------------------------------------------------------

    def _screen(self) -> list[Message]:
        """A section for each environment; all are asked before the first is waited for."""
        asked = [name for name in self.names if self._asked(name)]
        until = time.monotonic() + SCREEN_SECONDS
        sections = [{"name": name, "text": self._section(name, until)} for name in asked]
        unloaded = [name for name in self._states if name not in self._about]
        sections += [{"name": name, "text": f"Not loaded: {self._notes.get(name, '')}"} for name in unloaded]
        return sections + [
            {"name": file, "text": f"Not loaded: {why}"} for file, why in self._refused.items()
        ]

    def _asked(self, name: str) -> bool:
        try:
            self._process(name).ask_screen()
        except (EnvironmentEnded, OSError) as error:
            self._notes[name] = f"It cannot be started: {error}."
            return name in self._processes
        return True

    def _section(self, name: str, until: float) -> str:
        try:
            text = self._processes[name].screen(max(until, time.monotonic() + 0.2))
        except EnvironmentEnded as ended:
            return str(self._restarted(name, str(ended))["text"])
        note = self._notes.get(name)
        return f"{note}\n{text}" if note else text

    def _health(self) -> list[Message]:
        for name in BUILT_IN:
            with contextlib.suppress(EnvironmentEnded, OSError):  # its screen says so
                self._process(name)
        found = [{"name": name, "state": "ready", "about": self._about.get(name, "")} for name in self.names]
        return found + [
            {"name": name, "state": "not loaded", "about": self._notes.get(name, "")}
            for name in self._states
            if name not in self._about
        ]


def _gap(printed: str) -> str:
    return "\n" if printed and not printed.endswith("\n") else ""
