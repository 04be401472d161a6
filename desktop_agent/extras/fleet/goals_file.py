"""Reads a file of goals: one a line, in plain words or as JSON; blank lines and `#` comments are passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

import msgspec

from desktop_agent.protocol.errors import ConfigError
from desktop_agent.redaction.redactor import Redactor

LONGEST_SLUG = 40
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
_RESERVED = frozenset(("fleet", "lock", "con", "nul", "prn", "aux"))
_OWN_SCREEN = "local"


class FleetGoal(msgspec.Struct, frozen=True):
    """A goal and how it is to be worked; None for what the config file of the desktop's machine says.

    `shown` is the goal with its marked secrets taken out: what is written and printed.
    """

    id: str
    goal: str
    shown: str
    target: str | None = None
    model: str | None = None
    allow: tuple[str, ...] = ()
    project: str | None = None

    def arguments(self) -> tuple[str, ...]:
        """What the program is started with for it."""
        options = [("--target", self.target), ("--model", self.model), ("--project", self.project)]
        named = [f"{name}={value}" for name, value in options if value is not None]
        return ("--json", *named, *(f"--allow={each}" for each in self.allow), "--", self.goal)


class Defaults(msgspec.Struct, frozen=True):
    """What holds for goals that do not say otherwise."""

    target: str | None = "display"
    model: str | None = None
    allow: tuple[str, ...] = ()


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    goal: str
    id: str | None = None
    target: str | None = None
    model: str | None = None
    allow: tuple[str, ...] | None = None
    project: str | None = None


def read_goals(path: Path, defaults: Defaults) -> tuple[FleetGoal, ...]:
    """The goals of a file, each with an id of its own. Raises ConfigError that names the line."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigError(f"The goals cannot be read from {path}: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} is no text in UTF-8.", "Save it as UTF-8.") from error
    found: dict[str, tuple[int, FleetGoal]] = {}
    for number, line in _lines(text):
        try:
            goal = _goal(number, line, defaults)
            if (earlier := found.get(goal.id.lower())) is not None:
                raise ValueError(f"the id {goal.id} stands in line {earlier[0]} already")
        except ValueError as error:
            raise ConfigError(f"{path}, line {number}: {error}.") from error
        found[goal.id.lower()] = (number, goal)
    if not found:
        raise ConfigError(f"There is no goal in {path}.", "Write one a line.")
    return tuple(goal for _, goal in found.values())


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            yield number, stripped


def _goal(number: int, line: str, defaults: Defaults) -> FleetGoal:
    said = _decoded(line) if line.startswith("{") and not line.startswith("{{") else _Line(line)
    _check(said, defaults)
    shown = Redactor().mark(said.goal)
    return FleetGoal(
        said.id if said.id is not None else f"{number:04d}-{_slug(shown)}".rstrip("-"),
        said.goal,
        shown,
        said.target if said.target is not None else defaults.target,
        said.model if said.model is not None else defaults.model,
        said.allow if said.allow is not None else defaults.allow,
        said.project,
    )


def _decoded(line: str) -> _Line:
    try:
        return msgspec.json.decode(line, type=_Line)
    except msgspec.MsgspecError as error:
        raise ValueError(f"not a goal in JSON: {error}") from error


def _check(said: _Line, defaults: Defaults) -> None:
    if not said.goal.strip():
        raise ValueError("the goal is empty")
    texts: Sequence[str | None] = (said.goal, said.target, said.model, said.project, *(said.allow or ()))
    if any("\0" in each for each in texts if each is not None):
        raise ValueError("there is a NUL character in it")
    if said.id is not None and (not _ID.fullmatch(said.id) or said.id.lower() in _RESERVED):
        raise ValueError(f"{said.id!r} is no id: up to 80 letters, digits, - and _, not a name of the system")
    if (said.target or defaults.target) == _OWN_SCREEN:
        raise ValueError("a fleet does not work on anybody's own screen: choose another target than local")
    if said.project is not None and not PurePosixPath(said.project).is_absolute():
        raise ValueError("a project is a whole path, as it is called on the machines of the desktops")


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:LONGEST_SLUG].strip("-")
