"""Reads two states of a file side by side as entries: where something stands in it, and what.

JSON, tables (CSV, SQLite), settings and plain lines are read. What is in a list is placed by what names it and not by
its number, so that a new first row is one new row and no change of all that follow.
"""

from __future__ import annotations

import csv
import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice, zip_longest
from pathlib import PurePath
from typing import TypeAlias

from desktop_agent.agent.verifying.file_states import FileState, plain_text

Data: TypeAlias = "dict[str, Data] | list[Data] | str"

MOST_ENTRIES = 6_000
MOST_BYTES = 262_144
"""Larger files are not read as entries."""
_MOST_ROWS = 2_000
"""Rows of a database table that are read."""
_LONGEST_CELL, _MOST_LETTERS = 10_000, 2_000_000
"""A database may work out long values, and many, from few bytes."""
_DEEPEST = 100
_SQLITE = b"SQLite format 3\0"
_SETTING = re.compile(r"(\w[\w .\-]{0,40}?)\s{0,8}(?:=|:\s)(.*)$")
_SECTION = re.compile(r"\[([^\]]+)\]$|#+\s+(.*)$")
_COMMENT = re.compile(r"#|;|//|--|<!--")
_SEPARATORS = {".csv": ",;\t|", ".tsv": "\t"}
_SOURCES = frozenset((
    ".bash", ".c", ".cc", ".cpp", ".cs", ".css", ".go", ".h", ".hpp", ".java", ".js", ".jsx", ".kt", ".lua", ".php", ".pl", ".py", ".rb",
    ".rs", ".scala", ".sh", ".swift", ".ts", ".tsx",
))  # fmt: skip
"""Of programs only what is new is told: a line that is gone from one is no record that is lost."""
_NOTES = frozenset((".md", ".markdown", ".txt", ".rst", ".srt", ""))
"""In these a line that begins like a comment is none."""


@dataclass(frozen=True)
class FileEntry:
    """A value and where it stands: keys, sections, and what names a record in a list."""

    place: tuple[str, ...]
    value: str


@dataclass(frozen=True)
class FileChange:
    """What of a file is gone, new, other at the same place (before, now), and as it was."""

    gone: tuple[FileEntry, ...] = ()
    new: tuple[FileEntry, ...] = ()
    other: tuple[tuple[FileEntry, FileEntry], ...] = ()
    kept: tuple[FileEntry, ...] = ()


def change_of(was: FileState, now: FileState) -> FileChange | None:
    """How a file changed; None when its kind is not read, or it is too large or too deep."""
    before = _data(was) if was.exists and was.size else ""
    after = _data(now)
    if before is None or after is None:
        return None
    try:
        pairs = list(islice(_paired(before or None, after, (), 0), MOST_ENTRIES + 1))
    except _TooMuch:
        return None
    if len(pairs) > MOST_ENTRIES:
        return None
    if PurePath(now.path).suffix.lower() in _SOURCES:
        known = {a for _, a, _ in pairs}
        return FileChange(
            new=tuple(FileEntry(place, b) for place, _, b in pairs if b is not None and b not in known)
        )
    return FileChange(
        tuple(FileEntry(place, a) for place, a, b in pairs if a is not None and b is None),
        tuple(FileEntry(place, b) for place, a, b in pairs if a is None and b is not None),
        tuple(
            (FileEntry(p, a), FileEntry(p, b))
            for p, a, b in pairs
            if a is not None and b is not None and a != b
        ),
        tuple(FileEntry(place, a) for place, a, b in pairs if a is not None and a == b),
    )


class _TooMuch(Exception):
    """More entries or levels than are read."""


# ---- side by side ------------------------------------------------------------------------------


def _paired(
    was: Data | None, now: Data | None, place: tuple[str, ...], depth: int
) -> Iterator[tuple[tuple[str, ...], str | None, str | None]]:
    """Each place with what stood there and what stands there now; None where it is nothing."""
    if depth > _DEEPEST:
        raise _TooMuch
    if was is not None and now is not None and type(was) is not type(now):
        yield from _paired(was, None, place, depth)
        yield from _paired(None, now, place, depth)
    elif isinstance(was, str) or isinstance(now, str):
        yield place, was if isinstance(was, str) else None, now if isinstance(now, str) else None
    else:
        if len(was or ()) + len(now or ()) > MOST_ENTRIES:
            raise _TooMuch
        before, after = _named_both(was or {}, now or {})
        for name in dict.fromkeys((*before, *after)):
            yield from _paired(before.get(name), after.get(name), (*place, name), depth + 1)


def _named_both(was: Data, now: Data) -> tuple[dict[str, Data], dict[str, Data]]:
    """The parts of both by name; those of lists by what names them in both."""
    if isinstance(was, dict) and isinstance(now, dict) and (was or now):
        return was, now
    lists = [each if isinstance(each, list) else [] for each in (was, now)]
    key = _naming_key(lists)
    return _named(lists[0], key), _named(lists[1], key)


def _naming_key(lists: Sequence[Sequence[Data]]) -> str:
    """The key by which the records of each list differ and most are found again in the other; "" when there is none."""
    records = [[each for each in part if isinstance(each, dict)] for part in lists]
    first = next((each for part in records for each in part), {})
    found: dict[str, tuple[int, bool]] = {}
    for key in first:
        names = [[str(each.get(key, "")) for each in part] for part in records]
        if all(len({*part}) == len(part) and all(part) for part in names):
            lettered = bool(re.search(r"[^\W\d_]", str(first[key])))
            found[key] = (len({*names[0]} & {*names[1]}), lettered)
    return max(found, key=lambda key: found[key], default="")


def _named(items: Sequence[Data], key: str) -> dict[str, Data]:
    seen: Counter[str] = Counter()
    found: dict[str, Data] = {}
    for item in items:
        name = str(item.get(key, "")) if isinstance(item, dict) and key else _first_text(item)
        seen[name] += 1
        while (place := name if seen[name] == 1 else f"{name} #{seen[name]}") in found:
            seen[name] += 1
        found[place] = item
    return found


def _first_text(item: Data) -> str:
    if isinstance(item, str):
        return item
    parts: Iterable[Data] = item.values() if isinstance(item, dict) else item
    return " ".join(each for each in parts if isinstance(each, str))[:200]


# ---- kinds of files ----------------------------------------------------------------------------


def _data(state: FileState) -> Data | None:
    if state.content is None or len(state.content) > MOST_BYTES:
        return None
    if state.content.startswith(_SQLITE):
        return _tables(state.content)
    text = plain_text(state.content)
    if text is None or state.content[:2] == b"PK":
        return None
    try:
        return _as_data(json.loads(text), 0) if text.lstrip()[:1] in ("{", "[") else _lines(state, text)
    except (ValueError, RecursionError):
        return _lines(state, text)


def _as_data(value: object, depth: int) -> Data:
    if depth > _DEEPEST:
        raise RecursionError
    if isinstance(value, dict):
        return {str(key): _as_data(each, depth + 1) for key, each in value.items()}
    if isinstance(value, list):
        return [_as_data(each, depth + 1) for each in value]
    return value if isinstance(value, str) else json.dumps(value)


def _lines(state: FileState, text: str) -> Data:
    suffix = PurePath(state.path).suffix.lower()
    if suffix in _SEPARATORS and (rows := _rows(text, _SEPARATORS[suffix])):
        return rows
    return _settings(text, notes=suffix in _NOTES)


def _rows(text: str, separators: str) -> list[Data]:
    """The rows of a table with a head; none when it is no such table."""
    head = text.splitlines()[:1]
    separator = max(separators, key=lambda each: head[0].count(each)) if head else ","
    try:
        rows = list(csv.reader(text.splitlines(), delimiter=separator))
    except csv.Error:
        return []
    if len(rows) < 2 or len(rows[0]) < 2 or len({*rows[0]}) != len(rows[0]):
        return []
    return [dict(zip_longest(rows[0], row[: len(rows[0])], fillvalue="")) for row in rows[1:] if row]


def _settings(text: str, *, notes: bool) -> Data:
    """Sections with keys and values, and with the other lines; what is a comment is left out."""
    sections: dict[str, Data] = {}
    part: dict[str, Data] = sections
    loose: list[Data] = []
    part[""] = loose
    for line in filter(None, map(str.strip, text.splitlines())):
        found = _SECTION.match(line)
        if found and (found[1] or notes):
            loose, name = [], found[1] or found[2]
            part = {"": loose}
            sections[name if name not in sections else f"{name} #{len(sections)}"] = part
            continue
        if not notes and _COMMENT.match(line):
            continue
        found = None if notes else _SETTING.match(line)
        if found and found[1] not in part:
            part[found[1]] = found[2].strip()
        else:
            loose.append(" ".join(line.split()))
    return sections


def _tables(content: bytes) -> Data | None:
    """The rows of a SQLite database."""
    try:
        with closing(sqlite3.connect(":memory:")) as database:
            database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, len(content) + _LONGEST_CELL)
            database.deserialize(content)
            database.execute("PRAGMA trusted_schema = OFF")
            names = [
                str(row[0])
                for row in database.execute(
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
                )
            ]
            return {name: _table(database, name) for name in names if not name.startswith("sqlite_")}
    except (sqlite3.Error, UnicodeDecodeError):
        return None


def _table(database: sqlite3.Connection, name: str) -> Data:
    quoted = '"' + name.replace('"', '""') + '"'
    rows = database.execute(f"SELECT * FROM {quoted} LIMIT {_MOST_ROWS}")  # noqa: S608 - quoted, of a copy in memory
    keys = [each[0] for each in rows.description]
    letters = 0
    found: list[Data] = []
    for row in rows:
        letters += sum(len(value) if isinstance(value, str | bytes) else 8 for value in row)
        if letters > _MOST_LETTERS:
            raise sqlite3.DataError("more than is read")
        found.append({key: "" if value is None else str(value) for key, value in zip(keys, row, strict=True)})
    return found
