"""Every way to tamper with a run's log, its head and its pictures, and the share that verifying finds."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from benchmarks.report import BenchmarkError, Figure, Goal, counted
from benchmarks.store_writer import session
from desktop_agent.agent.runlog import heads
from desktop_agent.agent.runlog.audit import AuditResult, chain_of, judge, verify
from desktop_agent.agent.runlog.hash_chained_log import Record
from desktop_agent.agent.runlog.heads import Head

ALL = Goal(1.0, at_least=True)
BITS = [1 << bit for bit in range(8)]


@dataclass
class Log:
    """The log of a whole run: its folder, its bytes, its lines and its head."""

    run: Path
    data: bytes
    lines: list[bytes]
    head: Head

    @classmethod
    def of(cls, data: Path, turns: int) -> Log:
        """Work for so many turns and be done."""
        session(data / "runs", turns).run("move about")
        (log,) = (data / "runs").glob("*/events.jsonl")
        if not verify(log).certain:
            raise BenchmarkError(f"the log is not whole to begin with: {verify(log)}")
        head = heads.read(data / "heads", log.parent.name)
        assert head is not None  # noqa: S101 - or it would not be certain
        content = log.read_bytes()
        return cls(log.parent, content, content.splitlines(keepends=True), head)

    def verdict(self, data: bytes) -> AuditResult:
        """What is said of other bytes in its place."""
        return judge("", chain_of(data), self.head)


def tampering(log: Log, chance: random.Random, bits: Sequence[int]) -> Iterator[Figure]:
    """The share found of each way; `bits` are flipped in every byte."""
    ways: dict[str, Iterator[bytes]] = {
        "a bit of a byte flipped, at every byte": _flipped(log.data, bits),
        "a byte replaced by another, at every byte": _replaced(log.data, chance),
        "a line cut out": (b"".join(log.lines[:n] + log.lines[n + 1 :]) for n in range(len(log.lines))),
        "lines cut off the end": (b"".join(log.lines[:n]) for n in range(len(log.lines))),
        "a line doubled": (b"".join(log.lines[: n + 1] + log.lines[n:]) for n in range(len(log.lines))),
        "two lines swapped": _swapped(log.lines),
        "a line put in": _put_in(log.lines),
        "chained anew after a change, no key": _chained_anew(log.lines),
        "continued after the end": _continued(log.lines),
    }
    for name, changed in ways.items():
        verdicts = [log.verdict(data).whole for data in changed]
        yield _share(name, verdicts)
    step = 50 if len(bits) < len(BITS) else 1
    yield _share("the head changed: a bit of every byte", _in_file(log, _head_file(log), bits, 1))
    yield _share("a picture changed: a bit of its bytes", _in_file(log, _picture_file(log), bits[:1], step))
    yield _share("head, key or picture removed", _removed(log))


def _share(name: str, verdicts: Sequence[bool]) -> Figure:
    """The share that was found; `verdicts` are True for a log taken to be whole."""
    if not verdicts:
        raise BenchmarkError(f"nothing was tried of {name!r}")
    return counted(f"found: {name}", 1 - sum(verdicts) / len(verdicts), len(verdicts), "share", ALL)


def _flipped(data: bytes, bits: Sequence[int]) -> Iterator[bytes]:
    for position in range(len(data)):
        for bit in bits:
            yield data[:position] + bytes([data[position] ^ bit]) + data[position + 1 :]


def _replaced(data: bytes, chance: random.Random) -> Iterator[bytes]:
    for position in range(len(data)):
        other = chance.choice(
            [byte for byte in (*b'\n\r "\\,}09eE', chance.randrange(256)) if byte != data[position]]
        )
        yield data[:position] + bytes([other]) + data[position + 1 :]


def _swapped(lines: list[bytes]) -> Iterator[bytes]:
    for first in range(len(lines)):
        for second in range(first + 1, len(lines)):
            other = list(lines)
            other[first], other[second] = other[second], other[first]
            yield b"".join(other)


def _put_in(lines: list[bytes]) -> Iterator[bytes]:
    """An empty line, a line from elsewhere in the log, and one made to fit the line before."""
    for at in range(len(lines) + 1):
        before = msgspec.json.decode(lines[at - 1], type=Record) if at else None
        prev = before.hash if before is not None else "0" * 32
        made = Record(at, 1.5, "note", {"text": "never happened"}, prev).seal()
        for line in (b"\n", lines[at * 7 % len(lines)], msgspec.json.encode(made) + b"\n"):
            yield b"".join([*lines[:at], line, *lines[at:]])


def _chained_anew(lines: list[bytes]) -> Iterator[bytes]:
    """Each record replaced, taken out, or preceded by another, and the hashes of all that follow made anew."""
    records = [msgspec.json.decode(line, type=Record) for line in lines]
    for at in range(len(records)):
        other = msgspec.structs.replace(records[at], data={"text": "never happened"})
        yield _chain([*records[:at], other, *records[at + 1 :]])
        yield _chain([*records[:at], *records[at + 1 :]])
        yield _chain([*records[:at], other, *records[at:]])


def _chain(records: Sequence[Record]) -> bytes:
    made = b""
    prev = "0" * 32
    for seq, record in enumerate(records):
        fresh = msgspec.structs.replace(record, seq=seq, prev=prev).seal()
        prev = fresh.hash
        made += msgspec.json.encode(fresh) + b"\n"
    return made


def _continued(lines: list[bytes]) -> Iterator[bytes]:
    last = msgspec.json.decode(lines[-1], type=Record)
    more = msgspec.structs.replace(last, seq=last.seq + 1, prev=last.hash).seal()
    for tail in (msgspec.json.encode(more) + b"\n", b"{", b"\n", b"\0" * 512):
        yield b"".join([*lines, tail])


def _head_file(log: Log) -> Path:
    return heads.path_of(heads.folder_of(log.run), log.run.name)


def _picture_file(log: Log) -> Path:
    return next((log.run / "frames").iterdir())


def _in_file(log: Log, path: Path, bits: Sequence[int], step: int) -> list[bool]:
    data = path.read_bytes()
    verdicts = []
    for changed in list(_flipped(data, bits))[::step]:
        path.write_bytes(changed)
        verdicts.append(verify(log.run).whole)
    path.write_bytes(data)
    return verdicts


def _removed(log: Log) -> list[bool]:
    def without(path: Path) -> bool:
        away = path.rename(path.with_name("away"))
        try:
            return verify(log.run).whole
        finally:
            away.rename(path)

    return [without(path) for path in (_head_file(log), _head_file(log).with_name("key"), _picture_file(log))]
