"""Files as they are at one moment: whether they are there, what is in them, and which belong to a program."""

from __future__ import annotations

import hashlib
import html
import io
import json
import lzma
import os
import re
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop_agent.platforms.posix import process_files
from desktop_agent.policy.facts.words.claim_words import claims_success, is_not_yet

MOST_BYTES = 4_000_000
"""Of larger files only size and time are compared."""
MOST_UNPACKED = 16_000_000
"""What is packed is read while it has no more bytes than this in all."""
KEPT_BYTES = 65_536
"""Content of files up to this size is kept to be compared."""
_SHORT = 24
"""A text in JSON of so many characters may say what state something is in."""
_MOST_FILES, _DEPTH, _LONGEST = 2_000, 3, 4_096
_SHORTEST_WORD = 2
_DEEPEST = 100
"""Levels of a JSON file that are looked at."""
_LEFT_OUT = frozenset((".cache", ".git", "__pycache__", "node_modules", "site-packages", "venv", ".venv"))
_NO_EVIDENCE = re.compile(
    r"(?i)^\.|(\.log|\.tmp|\.part|\.bak|\.wip|\.draft|\.pyc|\.lock|\.pid|\.swp|~)$|^log$|(^|[._-])logs?([._-]|$)"
)


@dataclass(frozen=True)
class FileState:
    """A file or folder at one moment; `content` is None for what is large, missing or a folder. `modified` in ns."""

    path: str
    exists: bool = False
    folder: bool = False
    size: int = 0
    modified: int = 0
    digest: str = ""
    content: bytes | None = None

    def same(self, other: FileState) -> bool:
        """Is it there as it was, with the same content?"""
        if (self.exists, self.folder, self.size) != (other.exists, other.folder, other.size):
            return False
        known = bool(self.digest and other.digest)
        return self.digest == other.digest if known else self.modified == other.modified


def state_of(path: str, most: int = MOST_BYTES) -> FileState:
    """What a path is now, the content of files up to `most` bytes included; one that cannot be looked at does not exist."""
    try:
        found = Path(path).stat()
        if not stat.S_ISREG(found.st_mode):
            return FileState(
                path, exists=True, folder=stat.S_ISDIR(found.st_mode), modified=found.st_mtime_ns
            )
        content = Path(path).read_bytes() if found.st_size <= most else None
    except (OSError, ValueError):
        return FileState(path)
    digest = hashlib.sha256(content).hexdigest() if content is not None else ""
    return FileState(path, True, False, found.st_size, found.st_mtime_ns, digest, content)


def holds(state: FileState, text: str) -> bool | None:
    """Is the text in the file, blanks and ends of lines aside? None when its kind of content is not read."""
    wanted = " ".join(text.split())
    if state.content is None or not wanted:
        return None
    plain = plain_text(state.content)
    if plain is not None and _only_not_yet(plain, wanted):
        return False
    known = plain is not None
    if any(each in " ".join((plain or "").split()) for each in _spelled(wanted)):
        return True
    return False if known else (True if wanted.encode() in state.content else None)


def missing_words(state: FileState, texts: Sequence[str]) -> list[str] | None:
    """Those of the texts of which a word of some length is not in the file; None when its kind of content is not read."""
    plain = plain_text(state.content) if state.content is not None else None
    if plain is None:
        return None
    said = " ".join(plain.split())

    def there(word: str) -> bool:
        return any(each in said for each in _spelled(word))

    return [
        text for text in texts if not all(there(word) for word in text.split() if len(word) > _SHORTEST_WORD)
    ]


def _spelled(text: str) -> tuple[str, ...]:
    """How a text is written in plain files, JSON and HTML."""
    return (text, json.dumps(text)[1:-1], html.escape(text))


def _only_not_yet(plain: str, wanted: str) -> bool:
    """Does the text stand in a JSON file only where something is a draft, or is told not to be done yet?"""
    try:
        data = json.loads(plain)
    except (ValueError, RecursionError):
        return False
    around = list(_around(data, wanted, ""))
    return bool(around) and all(is_not_yet(each) for each in around)


def _around(data: object, wanted: str, where: str, depth: int = 0) -> Iterator[str]:
    """For each place of a text in JSON the keys that lead to it and the plain values beside it, in words."""
    if depth > _DEEPEST:
        return
    if isinstance(data, dict):
        plain = [f"{key} {value}" for key, value in data.items() if not isinstance(value, dict | list | str)]
        short = [value for value in data.values() if isinstance(value, str) and len(value) < _SHORT]
        failed = ["failed" for key, value in data.items() if value is False and claims_success(key)]
        for key, value in data.items():
            beside = " ".join((*plain, *(each for each in short if each != value), *failed))
            yield from _around(
                value,
                wanted,
                f"{where} {key} {beside}" if not isinstance(value, dict | list) else f"{where} {key}",
                depth + 1,
            )
    elif isinstance(data, list):
        for each in data:
            yield from _around(each, wanted, where, depth + 1)
    elif wanted in " ".join(str(data).split()):
        yield where


def plain_text(content: bytes) -> str | None:
    """The text of a file, also of one that is packed in a zip of XML (ODF, OOXML); None for anything else."""
    if content[:4] == b"PK\x03\x04":
        return _unpacked(content)
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return content.decode("utf-16", "replace")
    if b"\0" in content:
        return None
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1") if content.count(b"\n") else None


def _unpacked(content: bytes) -> str | None:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            members = [
                each for each in packed.infolist() if each.filename.endswith((".xml", ".txt", ".json"))
            ]
            if sum(each.file_size for each in members) > MOST_UNPACKED:
                return None
            parts = [packed.read(each).decode("utf-8", "replace") for each in members]
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError, ValueError):
        return None
    return html.unescape(re.sub(r"<[^>]*>", " ", " ".join(parts)))


# ---- the files of a program --------------------------------------------------------------------


def is_evidence(path: str) -> bool:
    """May a change of this file tell that something was kept? Logs, locks, hidden and passing files do not."""
    return not _NO_EVIDENCE.search(Path(path).name)


def own_places(pid: int, home: str) -> frozenset[str]:
    """Files and folders that a program was started with: its working folder, its arguments and variables.

    Left out are the home folder itself, folders above it, and all that this process was started with as well.
    """
    if not pid:
        return frozenset()
    ours = {process_files.working_folder(os.getpid()), *os.environ.values()}
    folder = process_files.working_folder(pid)
    arguments = [part for each in process_files.arguments(pid) for part in (each, each.partition("=")[2])]
    values = [each for each in process_files.variables(pid).values() if each not in ours]
    named = {str(Path(folder, each)) for each in arguments if each}
    named |= {each for each in values if Path(each).is_absolute()}
    beside = {str(Path(each).parent) for each in named if each.endswith(".py")}
    return frozenset(
        each
        for each in {folder, *named, *beside} - ours
        if each and len(each) < _LONGEST and _may_be_its_own(each, home)
    )


def _may_be_its_own(path: str, home: str) -> bool:
    real = os.path.realpath(path)
    if Path(home).is_relative_to(real) or Path(tempfile.gettempdir()).is_relative_to(real):
        return False
    return os.access(real, os.W_OK) or (not os.path.lexists(real) and os.access(Path(real).parent, os.W_OK))


def states_in(places: frozenset[str], depth: int = _DEPTH) -> Mapping[str, FileState]:
    """The files at and below these places, by real path; what is no evidence, hidden caches and more than a few thousand aside."""
    found: dict[str, FileState] = {}
    for path in sorted(places):
        for each in _below(os.path.realpath(path), depth):
            if len(found) >= _MOST_FILES:
                return found
            if is_evidence(each) and each not in found:
                state = state_of(each, KEPT_BYTES)
                if state.exists and not state.folder:
                    found[each] = state
    return found


def _below(path: str, depth: int) -> Iterator[str]:
    if not os.path.isdir(path):  # noqa: PTH112
        yield path
        return
    try:
        entries = sorted(os.scandir(path), key=lambda each: each.name)
    except OSError:
        return
    for entry in entries:
        if entry.is_symlink() or entry.name in _LEFT_OUT or entry.name.startswith("."):
            continue
        if entry.is_dir():
            if depth > 1:
                yield from _below(entry.path, depth - 1)
        else:
            yield entry.path
