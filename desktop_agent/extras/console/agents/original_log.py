"""An agent's whole conversation as JSON lines, `original.jsonl`: written as it is said, only ever added to, read back whole.

A line is a message: `{"role", "content"}`, roles user, assistant, command and environment, pictures as PNG in base64; what a
summary says stands in it as the assistant's. It is derived from the logs of the runs, which are hash-chained and hold the
pictures as files. A line that is written is never changed, so neighbours of one role are joined when it is read. What is
only put before a provider, as the words that ask to go on, is in no log and so not in it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from desktop_agent.agent.context.context import SUMMARY
from desktop_agent.agent.runlog.hash_chained_log import Record
from desktop_agent.history.exporting.conversation_jsonl import (
    RunPictures,
    line_of,
    message_of,
    opening_of,
    told_messages,
)
from desktop_agent.history.logged_run import LOG, read_logged_run
from desktop_agent.protocol.chat_messages import Message, TextBlock, append_to
from desktop_agent.support.paths import private_folder, write_private

KEPT_AFTER_SUMMARY = 5
_PICTURE = "(A picture of that moment.)"
_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)


class _Position(msgspec.Struct, frozen=True):
    """How far it is written: up to which record of which run, and how long the file was then."""

    run: str = ""
    records: int = 0
    size: int = 0


class StoredLine(msgspec.Struct, frozen=True):
    """A message as it stands in the file."""

    role: str
    content: list[dict[str, Any]]


class OriginalLog:
    """The file, and beside it how far it is written; for one process and one thread at a time. Raises OSError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._position = self._mended()
        self._run: Path | None = None
        self._offset = self._records = 0
        self._pictures: RunPictures | None = None
        self._opening: Message | None = None
        self._said = False

    def follow(self, run: Path) -> None:
        """Write from now on what is said in this run; what is there of it already is known by its number."""
        if self._run != run:
            self._run, self._offset, self._records, self._said, self._opening = run, 0, 0, False, None
            self._pictures = RunPictures(run)

    def catch_up(self) -> bytes:
        """Add what was said since the last time; returns the last picture in it as PNG, b"" for none."""
        if self._run is None or self._pictures is None:
            return b""
        self._pictures.last = b""
        done = self._position.records if self._position.run == self._run.name else 0
        lines = b""
        for record in self._new_records(self._run):
            self._records += 1
            self._pictures.know(record)
            message = message_of(record)
            if self._opening is None and (opening := opening_of(record)) is not None:
                self._opening, message = opening, opening
            else:
                self._said |= message is not None
            if message is not None and self._records > done:
                lines += line_of(message, self._pictures)
        if self._records > done:
            self._add(lines, _Position(self._run.name, self._records))
        return self._pictures.last

    def end(self) -> bytes:
        """At the end of a run: also what was said and done where the model read no conversation. As `catch_up`."""
        picture = self.catch_up()
        if self._run is None or self._pictures is None or self._said:
            return picture
        run = read_logged_run(self._run)
        told = list(told_messages(run))
        told = told[1:] if self._opening is not None and told and told[0].role == "user" else told
        lines = b"".join(line_of(each, self._pictures) for each in told)
        self._add(lines, _Position(self._run.name, self._records))
        self._run = None
        return self._pictures.last or picture

    def remembered(self) -> tuple[Message, ...]:
        """What a model is told of it: the last summary with the messages around it that were kept, else all; words alone."""
        messages: list[Message] = []
        for line in lines_of(self._path):
            said = Message(_role(line.role), tuple(_words(line)))
            if line.role == "assistant" and any(
                each.text.startswith(SUMMARY) for each in said.content if isinstance(each, TextBlock)
            ):
                messages = [said, *messages[-KEPT_AFTER_SUMMARY:]]
            else:
                append_to(messages, said)
        return tuple(messages)

    def _new_records(self, run: Path) -> Iterator[Record]:
        """The whole lines of the run's log that were written since the last time."""
        with (run / LOG).open("rb") as file:
            file.seek(self._offset)
            for line in file:
                if not line.endswith(b"\n"):
                    return
                self._offset += len(line)
                with suppress(msgspec.DecodeError):
                    yield msgspec.json.decode(line, type=Record)

    def _add(self, lines: bytes, position: _Position) -> None:
        if lines:
            private_folder(self._path.parent)
            descriptor = os.open(self._path, _FLAGS, 0o600)
            with os.fdopen(descriptor, "r+b") as file:
                file.seek(0, os.SEEK_END)
                file.write(lines)
                file.flush()
                os.fsync(file.fileno())
        size = self._path.stat().st_size if self._path.exists() else 0
        self._position = msgspec.structs.replace(position, size=size)
        write_private(self._place, msgspec.json.encode(self._position))

    @property
    def _place(self) -> Path:
        return self._path.with_name("original.position")

    def _mended(self) -> _Position:
        """The position; what stands behind it was being written when a program was killed, and is written again."""
        try:
            position = msgspec.json.decode(self._place.read_bytes(), type=_Position)
        except (FileNotFoundError, msgspec.DecodeError):
            return _Position()
        if self._path.exists() and self._path.stat().st_size > position.size:
            with self._path.open("r+b") as file:
                file.truncate(position.size)
        return position


def lines_of(path: Path, after: int = 0, most: int = sys.maxsize) -> tuple[StoredLine, ...]:
    """The messages of such a file from number `after` on, as they stand in it, of at most so many bytes, but at least one.

    A torn last line is none. Raises OSError.
    """
    found: list[StoredLine] = []
    size = 0
    with suppress(FileNotFoundError), path.open("rb") as file:
        for number, line in enumerate(file):
            if number >= after and line.endswith(b"\n"):
                size += len(line)
                if found and size > most:
                    break
                with suppress(msgspec.DecodeError):
                    found.append(msgspec.json.decode(line, type=StoredLine))
    return tuple(found)


def _role(name: str) -> Any:
    return name if name in ("user", "assistant", "command", "environment") else "environment"


def _words(line: StoredLine) -> Iterator[TextBlock]:
    for each in line.content:
        text = str(each.get("text", "")) if each.get("type") == "text" else _PICTURE
        if text:
            yield TextBlock(text)
