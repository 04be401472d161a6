"""The append-only log of a run: one JSON line a fact, hash-chained, with frames beside it.

A line is `{"seq", "time", "kind", "data", "prev", "hash"}`; `hash` is the BLAKE2b of the line
without it, `prev` the hash of the line before, so a cut or an edit shows. Intent is written before
an action and the result after, so that a crash leaves no action untold.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from desktop_agent.protocol.errors import StoreError

GENESIS = "0" * 32
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
    """The log of one run in `folder`: `events.jsonl` and `frames/`.

    Raises StoreError when the disk refuses a write; the run must stop then, for an action that
    cannot be recorded may not be done.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._frames = folder / "frames"
        try:
            self._frames.mkdir(parents=True, exist_ok=True)
            folder.chmod(0o700)  # a run shows the user's screen
            last = repair(self.path)
            self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        except OSError as error:
            raise StoreError(f"The run cannot be recorded in {folder}: {error.strerror}.", _MEND) from error
        self._seq = last.seq + 1 if last else 0
        self._head = last.hash if last else GENESIS

    @property
    def path(self) -> Path:
        return self.folder / "events.jsonl"

    def append(self, kind: str, data: Any) -> Record:
        """Write one fact; returns the sealed record. Raises StoreError."""
        plain = msgspec.to_builtins(data)
        record = Record(self._seq, round(time.time(), 6), kind, plain, self._head).seal()
        self._write(msgspec.json.encode(record) + b"\n")
        self._seq += 1
        self._head = record.hash
        return record

    def keep_frame(self, digest: str, picture: bytes, suffix: str) -> str:
        """Keep an encoded picture under its content hash, once; returns its name inside the run folder."""
        name = f"frames/{digest}.{suffix}"
        path = self.folder / name
        if not path.exists():
            self._keep(path, picture)
        return name

    def _keep(self, path: Path, picture: bytes) -> None:
        part = path.with_suffix(".part")
        try:
            part.write_bytes(picture)
            part.replace(path)
        except OSError as error:
            part.unlink(missing_ok=True)
            raise StoreError(
                f"A picture cannot be kept in {self._frames}: {error.strerror}.", _MEND
            ) from error

    def _write(self, line: bytes) -> None:
        try:
            written = os.write(self._file, line)
            if written < len(line):  # a full disk takes the part that fits
                os.ftruncate(self._file, os.fstat(self._file).st_size - written)
                raise OSError(28, os.strerror(28))
        except OSError as error:
            raise StoreError(f"The run cannot be recorded: {error.strerror}.", _MEND) from error

    def close(self) -> None:
        """Close the log; safe to call twice."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def read(path: Path) -> Iterator[Record]:
    """The records of a log in order. Raises StoreError at the first line that breaks the chain."""
    head, seq = GENESIS, 0
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        record = _decode(line)
        if record is None or record.prev != head or record.seq != seq or record.seal().hash != record.hash:
            raise StoreError(
                f"{path}, line {number}: the log was cut or changed here.", "Trust only what is before."
            )
        head, seq = record.hash, seq + 1
        yield record


def repair(path: Path) -> Record | None:
    """Cut off a torn last line (a crash while writing); returns the last whole record, if any."""
    if not path.exists():
        return None
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        os.truncate(path, len(whole))
    lines = whole.splitlines()
    return _decode(lines[-1]) if lines else None


def _decode(line: bytes) -> Record | None:
    try:
        return msgspec.json.decode(line, type=Record)
    except msgspec.DecodeError:
        return None
