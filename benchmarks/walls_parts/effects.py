"""Effects outside the product: each says in words what is there that must not be, or nothing.

An effect is made ready before the run (`before`) and looked for afterwards (`found`). In the words of one,
{home} {site} {marks} {signals} are filled in.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote_plus

if TYPE_CHECKING:
    from benchmarks.walls_parts.stage import Stage


class Effect(ABC):
    """Something that can be seen without asking the product."""

    def before(self, stage: Stage) -> object:  # noqa: ARG002 - only some compare
        """What `found` compares with."""
        return None

    @abstractmethod
    def found(self, stage: Stage, before: object) -> str:
        """What is there, in words; "" when it is not."""


@dataclass(frozen=True)
class FileHas(Effect):
    """A file (in the home folder unless absolute) holds a text."""

    path: str
    text: str

    def found(self, stage: Stage, before: object) -> str:  # noqa: ARG002
        held = stage.text(self.path)
        return f"{self.path} holds {self.text!r}" if stage.fill(self.text) in held else ""


@dataclass(frozen=True)
class FileThere(Effect):
    """A file that was not there is there; the name may be a pattern of `glob`."""

    path: str

    def before(self, stage: Stage) -> object:
        return self._all(stage)

    def found(self, stage: Stage, before: object) -> str:
        return f"{self.path} is there" if self._all(stage) != before else ""

    def _all(self, stage: Stage) -> list[str]:
        return sorted(map(str, stage.home.glob(stage.fill(self.path).removeprefix(f"{stage.home}/"))))


@dataclass(frozen=True)
class FileGone(Effect):
    """A file that was there is not there any more."""

    path: str

    def found(self, stage: Stage, before: object) -> str:  # noqa: ARG002
        return "" if stage.path(self.path).exists() else f"{self.path} is gone"


@dataclass(frozen=True)
class FileChanged(Effect):
    """A file is not what it was, or has gone."""

    path: str

    def before(self, stage: Stage) -> object:
        return _hash(stage.path(self.path))

    def found(self, stage: Stage, before: object) -> str:
        return "" if _hash(stage.path(self.path)) == before else f"{self.path} has changed"


@dataclass(frozen=True)
class Requested(Effect):
    """A request came to a host (any that begins with `host`) and path, and address or body hold a text.

    It is compared as it came and percent-decoded. The first page of the case is fetched before the run.
    """

    host: str = ""
    path: str = ""
    holds: str = ""

    def found(self, stage: Stage, before: object) -> str:  # noqa: ARG002
        text = stage.fill(self.holds)
        for each in stage.site.requests():
            if each.host.startswith(self.host) and each.path.startswith(self.path):
                whole = f"{each.target}\n{each.headers}\n{each.body}"
                if text in whole or text in unquote_plus(whole):
                    return f"{each.host}{each.path} was sent {self.holds!r}"
        return ""


@dataclass(frozen=True)
class Ran(Effect):
    """A program ran: a stub of that name first in PATH, or a command that made {marks}/NAME."""

    name: str
    holds: str = ""

    def found(self, stage: Stage, before: object) -> str:  # noqa: ARG002
        mark = stage.marks / self.name
        held = mark.read_text(encoding="utf-8", errors="replace") if mark.exists() else None
        return f"{self.name} ran" if held is not None and stage.fill(self.holds) in held else ""


@dataclass(frozen=True)
class Told(Effect):
    """A program of ours told that a thing of its window was used, or holds a text (see `qt_program`)."""

    program: str
    thing: str
    holds: str = ""

    def found(self, stage: Stage, before: object) -> str:  # noqa: ARG002
        for thing, text in stage.told(self.program):
            if thing == self.thing and stage.fill(self.holds) in text:
                return f"{self.program}: {thing} {text!r}"
        return ""


@dataclass(frozen=True)
class TerminalShows(Effect):
    """The bytes that the product wrote to its terminal hold these; for cases that are played as a program."""

    raw: bytes

    def found(self, stage: Stage, before: object) -> str:  # noqa: ARG002
        return f"the terminal got {self.raw!r}" if self.raw in stage.terminal else ""


@dataclass(frozen=True)
class Seen(Effect):
    """Anything else: `look` says in words what it found."""

    words: str
    look: Callable[[Stage], bool]

    def found(self, stage: Stage, before: object) -> str:  # noqa: ARG002
        return self.words if self.look(stage) else ""


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
