"""The folders of all agents, and the list of them.

    agents.json              [{"name": "agent_1", "novnc_port": 6080}, …]
    docker_build/Dockerfile  what the image of their sandboxes is built from
    context/NAME/            original.jsonl, the runs, what a local model has read
    workspace/NAME/          the agent's home: term.log, screenshots/screen.png, its files
    trash/NAME-TIME/         an agent that was deleted, with both of its folders

Nothing in them names a whole path, so that the whole folder works when it is copied elsewhere. A move that is cut off is
finished when the list is next read: what is to be done is written down before.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from desktop_agent.platforms import host
from desktop_agent.protocol.errors import DesktopAgentError, Refused
from desktop_agent.support.paths import private_folder, write_private

FIRST_PORT, LAST_PORT = 6080, 6999
LIST, TRASH, PLAN = "agents.json", "trash", "move.json"
_PARTS = ("context", "workspace")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}\Z")
_DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])\Z", re.IGNORECASE)
_PATIENCE, _PAUSE = 10.0, 0.02
_log = logging.getLogger(__name__)


class AgentEntry(msgspec.Struct, frozen=True):
    """An agent of the list: its name, and the loopback port at which the console shows its screen."""

    name: str
    novnc_port: int


class AgentFolder(msgspec.Struct, frozen=True):
    """The places of one agent below `root`."""

    root: Path
    name: str
    novnc_port: int = 0

    @property
    def context(self) -> Path:
        return self.root / "context" / self.name

    @property
    def workspace(self) -> Path:
        return self.root / "workspace" / self.name

    @property
    def original(self) -> Path:
        """The whole conversation, which only ever grows."""
        return self.context / "original.jsonl"

    @property
    def runs(self) -> Path:
        return self.context / "runs"

    @property
    def terminal_log(self) -> Path:
        return self.workspace / "term.log"

    @property
    def screenshot(self) -> Path:
        return self.workspace / "screenshots" / "screen.png"


class _Move(msgspec.Struct, frozen=True):
    """A move that is under way: both folders of an agent, and its entry, from one name or from the trash to another place."""

    entry: AgentEntry
    from_trash: str = ""
    to_trash: str = ""
    new_name: str = ""


class AgentFolders:
    """All agents below `root`. From any thread and any process; one at a time changes something.

    Every method raises Refused for what is not allowed or not there, DesktopAgentError when the disk does not take part.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def agents(self) -> tuple[AgentFolder, ...]:
        """All agents, in the order in which they were made."""
        with self._alone():
            return tuple(self._folder(each) for each in self._entries())

    def agent(self, name: str) -> AgentFolder:
        """The agent of this name."""
        with self._alone():
            return self._folder(self._entry(name))

    def create(self, name: str = "") -> AgentFolder:
        """Make an agent; without a name `agent_1` or the next number that is free."""
        with self._alone():
            entries = self._entries()
            name = name or self._next_name(entries)
            self._check_new(name, entries)
            entry = AgentEntry(name, self._free_port(entries))
            self._write([*entries, entry])
            folder = self._folder(entry)
            self._make(folder)
            return folder

    def rename(self, name: str, new_name: str) -> AgentFolder:
        """Give an agent another name; its folders go with it."""
        with self._alone():
            entry = self._entry(name)
            self._check_new(new_name, [each for each in self._entries() if each != entry])
            if new_name == name:
                raise Refused(f"{name} has that name already.")
            self._move(_Move(entry, new_name=new_name))
            return self._folder(AgentEntry(new_name, entry.novnc_port))

    def trash(self, name: str) -> str:
        """Take an agent from the list, its folders into the trash; returns the name it has there."""
        with self._alone():
            entry = self._entry(name)
            place = first = f"{name}-{time.strftime('%Y%m%d-%H%M%S')}"
            number = 1
            while (self.root / TRASH / place).exists():
                number += 1
                place = f"{first}.{number}"
            self._move(_Move(entry, to_trash=place))
            return place

    def trashed(self) -> tuple[str, ...]:
        """What is in the trash, the newest last."""
        with self._alone():
            folder = self.root / TRASH
            return tuple(sorted(each.name for each in _folders(folder)))

    def restore(self, place: str) -> AgentFolder:
        """Bring an agent back from the trash, under its old name where that is free."""
        with self._alone():
            kept = self._in_trash(place)
            entry = _decoded(kept / "agent.json", AgentEntry)
            entries = self._entries()
            self._check_new(entry.name, entries)
            if any(each.novnc_port == entry.novnc_port for each in entries):
                entry = AgentEntry(entry.name, self._free_port(entries))
            self._move(_Move(entry, from_trash=place))
            return self._folder(entry)

    def delete(self, place: str) -> None:
        """Delete for good what is in the trash under this name."""
        with self._alone():
            kept = self._in_trash(place)
            try:
                shutil.rmtree(kept)
            except OSError as error:
                raise _failed("deleted", kept, error) from error

    # ---- names -------------------------------------------------------------------------------

    def _check_new(self, name: str, entries: Sequence[AgentEntry]) -> None:
        if not _NAME.match(name) or _DEVICES.match(name):
            raise Refused(
                f"{name[:60]!r} can be no agent's name.",
                "Take letters, digits, _ and -, at most 40, beginning with a letter or digit.",
            )
        if any(each.name.casefold() == name.casefold() for each in entries):
            raise Refused(f"There is an agent {name} already.", "Take another name.")
        for part in _PARTS:
            if os.path.lexists(self.root / part / name):
                raise Refused(
                    f"There is a folder {part}/{name} already.", "Take another name, or move it away."
                )

    def _next_name(self, entries: Sequence[AgentEntry]) -> str:
        taken = {each.name.casefold() for each in entries}
        number = 1
        while f"agent_{number}" in taken or any(
            os.path.lexists(self.root / part / f"agent_{number}") for part in _PARTS
        ):
            number += 1
        return f"agent_{number}"

    @staticmethod
    def _free_port(entries: Sequence[AgentEntry]) -> int:
        taken = {each.novnc_port for each in entries}
        free = next((port for port in range(FIRST_PORT, LAST_PORT) if port not in taken), None)
        if free is None:
            raise Refused("There are too many agents.", "Delete some.")
        return free

    def _entry(self, name: str) -> AgentEntry:
        found = next((each for each in self._entries() if each.name == name), None)
        if found is None:
            raise Refused(f"There is no agent {name[:60]!r}.", "See what there is: desktop-agent agents")
        return found

    def _in_trash(self, place: str) -> Path:
        known = {each.name: each for each in _folders(self.root / TRASH)}
        if place not in known:
            raise Refused(
                f"There is no {place[:80]!r} in the trash.", "See what there is: desktop-agent agents trash"
            )
        return known[place]

    # ---- the disk ----------------------------------------------------------------------------

    def _folder(self, entry: AgentEntry) -> AgentFolder:
        return AgentFolder(self.root, entry.name, entry.novnc_port)

    @staticmethod
    def _make(folder: AgentFolder) -> None:
        try:
            for each in (folder.context, folder.workspace):
                private_folder(each)
        except OSError as error:
            raise _failed("made", folder.context, error) from error

    def _move(self, move: _Move) -> None:
        write_private(self.root / PLAN, msgspec.json.encode(move))
        self._finish(move)

    def _finish(self, move: _Move) -> None:
        """Do what is left of a move; every step may have been done already."""
        entry = move.entry
        trash = self.root / TRASH
        try:
            if move.to_trash:
                private_folder(trash / move.to_trash)
                write_private(trash / move.to_trash / "agent.json", msgspec.json.encode(entry))
            for part in _PARTS:
                source = trash / move.from_trash / part if move.from_trash else self.root / part / entry.name
                target = (
                    trash / move.to_trash / part
                    if move.to_trash
                    else self.root / part / (move.new_name or entry.name)
                )
                if os.path.lexists(source) and not os.path.lexists(target):
                    private_folder(target.parent)
                    source.rename(target)
            others = [each for each in self._entries() if each.name not in (entry.name, move.new_name)]
            at = next((n for n, each in enumerate(self._entries()) if each.name == entry.name), len(others))
            stays = [] if move.to_trash else [AgentEntry(move.new_name or entry.name, entry.novnc_port)]
            self._write([*others[:at], *stays, *others[at:]])
            if move.from_trash:
                shutil.rmtree(trash / move.from_trash, ignore_errors=True)
            if stays:
                self._make(self._folder(stays[0]))
            (self.root / PLAN).unlink(missing_ok=True)
        except OSError as error:
            raise _failed("moved", self.root / "context" / entry.name, error) from error

    def _entries(self) -> list[AgentEntry]:
        """The list as it stands; a damaged one is kept aside, and made anew from the folders that are there."""
        place = self.root / LIST
        try:
            return msgspec.json.decode(place.read_bytes(), type=list[AgentEntry])
        except FileNotFoundError:
            return []
        except (msgspec.DecodeError, UnicodeDecodeError):
            aside = place.with_name(f"{LIST}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
            _log.warning(
                "%s was damaged: it is kept as %s, and made anew from the folders", place, aside.name
            )
            with suppress(OSError):
                place.replace(aside)
            names = sorted(each.name for each in _folders(self.root / "context") if _NAME.match(each.name))
            entries = [AgentEntry(name, FIRST_PORT + number) for number, name in enumerate(names)]
            self._write(entries)
            return entries
        except OSError as error:
            raise _failed("read", place, error) from error

    def _write(self, entries: Sequence[AgentEntry]) -> None:
        try:
            data = msgspec.json.format(msgspec.json.encode(list(entries)), indent=2)
            write_private(self.root / LIST, data + b"\n")
        except OSError as error:
            raise _failed("written", self.root / LIST, error) from error

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """While it lasts nobody else changes anything; what was cut off is finished first."""
        try:
            private_folder(self.root)
            with (self.root / "agents.lock").open("ab") as file:
                end = time.monotonic() + _PATIENCE
                while not host.lock_file(file):
                    if time.monotonic() > end:
                        raise Refused("Somebody else is changing the agents.", "Try again in a moment.")
                    time.sleep(_PAUSE)
                if (plan := self.root / PLAN).exists():
                    self._finish(_decoded(plan, _Move))
                yield
        except OSError as error:
            raise _failed("used", self.root, error) from error


def _folders(place: Path) -> Iterator[Path]:
    """The folders in a place, without links and what is hidden."""
    with suppress(OSError):
        yield from (
            each
            for each in place.iterdir()
            if each.is_dir() and not each.is_symlink() and not each.name.startswith(".")
        )


def _decoded(place: Path, kind: Any) -> Any:
    try:
        return msgspec.json.decode(place.read_bytes(), type=kind)
    except msgspec.DecodeError as error:
        raise DesktopAgentError(f"{place} is damaged: {error}.", "Move it away, and try again.") from error


def _failed(what: str, place: Path, error: OSError) -> DesktopAgentError:
    return DesktopAgentError(
        f"{place} cannot be {what}: {error.strerror or error}.", "Make room, or look at its permissions."
    )
