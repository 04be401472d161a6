"""The folder of the notes: one Markdown file a note, readable by its owner only, written whole or not at all."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from desktop_agent.agent.notes.note_file import KeptNote, from_file, to_file
from desktop_agent.protocol.errors import Refused
from desktop_agent.support.paths import private_folder, write_private

MAX_NOTES = 200
"""Files that are looked at, and notes that are kept."""
MAX_BYTES = 16_000
"""Of one file; a larger one is no note."""
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class NoteFolder:
    """The notes in `folder`, which is made when the first one is kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def notes(self) -> tuple[KeptNote, ...]:
        """All notes, the newest first. What is not a file of text of at most MAX_BYTES is passed over."""
        return tuple(note for _, note in self._found())

    def keep(self, note: KeptNote) -> Path:
        """Write a note, in place of the one with the same title; its file. Raises Refused when there are too many, OSError."""
        found = self._found()
        path = _of_title(found, note.title)
        if path is None and len(found) >= MAX_NOTES:
            raise Refused(f"There are {MAX_NOTES} notes already.", "Replace or remove one.")
        if not self.folder.is_dir():  # one that is there stays as the user made it
            private_folder(self.folder)
        path = path or self.folder / _file_name(note.title)
        write_private(path, to_file(note).encode("utf-8"))
        return path

    def remove(self, title: str) -> None:
        """Remove the note of this title. Raises Refused when there is none, OSError."""
        path = _of_title(self._found(), title)
        if path is None:
            raise Refused(f"There is no note called “{title}”.")
        path.unlink()

    def _found(self) -> list[tuple[Path, KeptNote]]:
        found = [
            (changed, path, from_file(text, path.stem))
            for path in self._files()
            for changed, text in _content(path)
        ]
        found.sort(key=lambda each: (-each[0], each[1].name))
        return [(path, note) for _, path, note in found]

    def _files(self) -> list[Path]:
        try:
            names = sorted(name for name in os.listdir(self.folder) if _is_note(name))  # noqa: PTH208
        except OSError:  # there is none yet, or it cannot be read
            return []
        return [self.folder / name for name in names[:MAX_NOTES]]


def _is_note(name: str) -> bool:
    return name.endswith(".md") and not name.startswith(".")


def _content(path: Path) -> Iterator[tuple[float, str]]:
    """When a file was changed, and its text; nothing for what is no note. Links are not followed."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):  # Windows opens what a link leads to
            return
        descriptor = os.open(path, os.O_RDONLY | _NO_FOLLOW)
        with os.fdopen(descriptor, "rb") as file:
            there = os.fstat(descriptor)
            data = file.read(MAX_BYTES + 1) if stat.S_ISREG(there.st_mode) else b"\0"
        text = data.decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return
    if len(data) <= MAX_BYTES and "\0" not in text:
        yield there.st_mtime, text


def _of_title(found: list[tuple[Path, KeptNote]], title: str) -> Path | None:
    return next((path for path, note in found if _same(note.title) == _same(title)), None)


def _same(title: str) -> str:
    return " ".join(title.casefold().split())


def _file_name(title: str) -> str:
    """Readable, and another one for every title."""
    words = re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-")[:40]
    return f"{words or 'note'}-{hashlib.blake2b(_same(title).encode(), digest_size=4).hexdigest()}.md"
