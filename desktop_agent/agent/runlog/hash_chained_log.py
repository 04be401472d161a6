"""The append-only log of a run: one JSON line a fact, hash-chained, with frames beside it.

A line is `{"seq", "time", "kind", "data", "prev", "hash"}`; `hash` is the BLAKE2b of the line
without it, `prev` the hash of the line before, so that `runlog.audit` finds a cut or an edit. The intent is
written before an action and the result after, so that a crash leaves no action unrecorded. What is written
survives the end of this process, but not a power cut right after. The first record names the folder, so that a
log which was moved to another name is told from its own.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from desktop_agent.agent.runlog.heads import Heads
from desktop_agent.protocol.errors import StoreError
from desktop_agent.support.paths import private_folder, write_private

GENESIS = "0" * 32
# On Windows a descriptor would change line ends, and so lengths and hashes.
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
_MEND = "Free some space or choose another data folder, then start again."


class Record(msgspec.Struct, frozen=True):
    """One line of the log."""

    seq: int
    time: float
    kind: str
    data: Any
    prev: str
    hash: str = ""

    def seal(self) -> Record:
        """The record with its hash filled in."""
        bare = msgspec.structs.replace(self, hash="")
        digest = hashlib.blake2b(_canonical(bare), digest_size=16).hexdigest()
        return msgspec.structs.replace(self, hash=digest)


def _canonical(record: Record) -> bytes:
    return msgspec.json.encode(record, order="deterministic")


class RunStore:
    """The log of one run in `folder`: `events.jsonl` and `frames/`. Any thread may append.

    `heads` keeps the log's head (None: no head is kept). Raises StoreError when a write fails: the run must
    stop then, for an action that cannot be recorded may not be done.
    """

    def __init__(self, folder: Path, heads: Heads | None = None) -> None:
        self.folder = folder
        self._heads = heads
        self._frames = folder / "frames"
        self._lock = threading.Lock()
        try:
            private_folder(folder)  # a run shows the user's screen
            private_folder(self._frames)
            tail = repair(self.path)
            self._file = os.open(self.path, _FLAGS, 0o600)
        except OSError as error:
            raise StoreError(f"The run cannot be recorded in {folder}: {error.strerror}.", _MEND) from error
        self._size, self._seq, self._head = tail.size, tail.records, tail.hash
        self._kept = set(tail.frames)
        try:
            self._begin(tail)
        except BaseException:
            os.close(self._file)
            raise

    def _begin(self, tail: Tail) -> None:
        """Write the first record of this opening: what was repaired, or that a head is kept.

        `vouched` counts the records up to the head that was found: the new head covers those after it as well,
        so that nobody could tell later that they came from nobody knows whom.
        """
        before = self._heads.before() if self._heads is not None else None
        known = before.seq + 1 if before is not None else 0
        lost = max(0, known - tail.records)
        found = {"run": self.folder.name, "vouched": min(known, tail.records)}
        if tail.torn or lost:
            self.append("repaired", {"bytes": tail.torn, "records_missing": lost, **found})
        elif self._heads is not None:
            self.append("opened", {"witnessed": True, **found})
        if self._heads is not None:
            self._heads.begin(self._seq - 1, self._head)

    @property
    def path(self) -> Path:
        return self.folder / "events.jsonl"

    def append(self, kind: str, data: Any) -> Record:
        """Write one record and return it with its hash. Raises StoreError."""
        plain = _plain(data)
        with self._lock:
            record = Record(self._seq, round(time.time(), 6), kind, plain, self._head).seal()
            self._write(msgspec.json.encode(record) + b"\n")
            self._seq += 1
            self._head = record.hash
            if self._heads is not None:
                self._heads.grown(record.seq, record.hash)
        return record

    def keep_frame(self, digest: str, picture: bytes, suffix: str) -> str:
        """Keep an encoded picture under its content hash, once; returns its name inside the run folder.

        Recorded with the file's own hash, so that a picture that was changed is found.
        """
        name = f"frames/{digest}.{suffix}"
        if name not in self._kept:
            self._keep(self.folder / name, picture)
            self.append("frame", {"file": name, "bytes": len(picture), "hash": hash_of(picture)})
            self._kept.add(name)
        return name

    def _keep(self, path: Path, picture: bytes) -> None:
        try:
            write_private(path, picture)
        except OSError as error:
            raise StoreError(
                f"A picture cannot be kept in {self._frames}: {error.strerror}.", _MEND
            ) from error

    def _write(self, line: bytes) -> None:
        try:
            self._check_file()
            written = os.write(self._file, line)
            if written < len(line):  # a full disk takes the part that fits
                os.ftruncate(self._file, self._size)
                raise OSError(28, os.strerror(28))
        except OSError as error:
            raise StoreError(f"The run cannot be recorded: {error.strerror}.", _MEND) from error
        self._size += len(line)

    def _check_file(self) -> None:
        """Raises StoreError when the log was removed or changed by somebody else since the last write."""
        found = os.fstat(self._file)
        if not found.st_nlink:
            raise StoreError(
                f"The log {self.path} was removed during the run.",
                "What was recorded before is gone; start the task again.",
            )
        if found.st_size != self._size:
            raise StoreError(
                f"The log {self.path} was changed by somebody else during the run.",
                "Find out what else writes there, then start the task again.",
            )

    def close(self) -> None:
        """Close the log; safe to call twice."""
        with self._lock:
            if self._file < 0:
                return
            os.close(self._file)
            self._file = -1
            if self._heads is not None:
                self._heads.end(self._seq - 1, self._head)


def _plain(data: Any) -> Any:
    """The data as plain JSON types; a lone surrogate (from a file name, say) becomes U+FFFD."""
    plain = msgspec.to_builtins(data, str_keys=True)
    try:
        msgspec.json.encode(plain)
    except UnicodeEncodeError:
        return _mended(plain)
    return plain


def _mended(plain: Any) -> Any:
    match plain:
        case str():
            return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case dict():
            return {_mended(key): _mended(value) for key, value in plain.items()}
        case list() | tuple():
            return [_mended(each) for each in plain]
    return plain


def hash_of(picture: bytes) -> str:
    """The hash of a picture's bytes, as in its `frame` record."""
    return hashlib.blake2b(picture, digest_size=16).hexdigest()


# ---- reading ---------------------------------------------------------------------------------


def parse(line: bytes) -> Record | None:
    """The record on a line (without its line feed); None when any byte of it was changed."""
    try:
        record = msgspec.json.decode(line, type=Record)
        sound = record.seal().hash == record.hash and msgspec.json.encode(record) == line
    except (msgspec.MsgspecError, ValueError, RecursionError, OverflowError):
        return None
    return record if sound else None


def fields_of(record: Record) -> dict[str, Any]:
    """A record's data by field name, {} when it is no object: a log that somebody else wrote may hold anything."""
    return record.data if isinstance(record.data, dict) else {}


def read(path: Path) -> Iterator[Record]:
    """The records of a log in order. Raises StoreError at the first line that breaks the chain."""
    yield from _chained(path, path.read_bytes())


def _chained(path: Path, data: bytes) -> Iterator[Record]:
    head, seq = GENESIS, 0
    lines = data.split(b"\n")
    for number, line in enumerate(lines[:-1] if not lines[-1] else lines, 1):
        record = parse(line)
        if record is None or record.prev != head or record.seq != seq:
            raise StoreError(
                f"{path}, line {number}: the log was cut or changed here.", "Trust only what is before."
            )
        head, seq = record.hash, seq + 1
        yield record


@dataclass(frozen=True)
class Tail:
    """Where appending goes on: the log's size in bytes, its records, the last one's hash, its frames, bytes cut off."""

    size: int = 0
    records: int = 0
    hash: str = GENESIS
    frames: tuple[str, ...] = ()
    torn: int = 0


def repair(path: Path) -> Tail:
    """Cut off a torn last line, left by a crash while writing, and return where the log goes on.

    Raises StoreError, and leaves the log as it is, when its chain is broken; OSError.
    """
    if not path.exists():
        return Tail()
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    records = list(_chained(path, whole))
    if len(whole) < len(data):
        os.truncate(path, len(whole))
    frames = tuple(str(fields_of(record).get("file")) for record in records if record.kind == "frame")
    last = records[-1].hash if records else GENESIS
    return Tail(len(whole), len(records), last, frames, len(data) - len(whole))
