"""What the log of a run loses when it is cut or its writer killed, and whether tampering is found."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from benchmarks.report import ROOT, BenchmarkError, Figure, Goal, Report, counted, measured, report
from benchmarks.tampering import BITS, Log, tampering
from desktop_agent.agent.runlog.audit import chain_of, judge, verify
from desktop_agent.agent.runlog.hash_chained_log import Record, RunStore, fields_of, read
from desktop_agent.agent.runlog.heads import Heads
from desktop_agent.hand.guard.log_head_keeper import offer
from desktop_agent.protocol.errors import StoreError

NONE = Goal(0)
SEED = 20_261_122
WRITERS = {"session": "benchmarks.store_writer", "store": "benchmarks.store_appender"}


def run(quick: bool) -> Report:
    """Cut a real log at every byte, kill real writers, and tamper in every way with log, head and pictures."""
    chance = random.Random(SEED)  # noqa: S311 - chance, not secrecy
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        log = Log.of(place / "real", 0 if quick else 3)
        return report(
            "store",
            *_cuts(log, place / "cuts"),
            *_kills(place / "kills", 3 if quick else 200, chance),
            *tampering(log, chance, BITS[:1] if quick else BITS),
            _speed(place / "speed", 500 if quick else 50_000),
        )


# ---- cuts ------------------------------------------------------------------------------------


def _cuts(log: Log, place: Path) -> Iterator[Figure]:
    """Every prefix of the log is what a crash may leave: open it, go on, and look what is there."""
    lost = unseen = 0
    folder = place / "runs" / "cut"
    folder.mkdir(parents=True)
    for cut in range(len(log.data)):
        prefix = log.data[:cut]
        unseen += not _seen(log, prefix)
        (folder / "events.jsonl").write_bytes(prefix)
        store = RunStore(folder)
        store.append("note", {"text": "after the crash"})
        store.close()
        whole = prefix[: prefix.rfind(b"\n") + 1]
        kept = store.path.read_bytes()
        list(read(store.path))
        lost += whole.count(b"\n") if not kept.startswith(whole) else 0
    yield counted(
        "cut at every byte and opened again: whole records lost", lost, len(log.data), "records", NONE
    )
    yield counted("cut at every byte: cuts that verify does not tell of", unseen, len(log.data), "cuts", NONE)


def _seen(log: Log, prefix: bytes) -> bool:
    """The head misses what is cut off, and without a head a torn line is called a crash, not a change."""
    chain = chain_of(prefix)
    alone = judge("", chain, None)
    torn = len(prefix) - prefix.rfind(b"\n") - 1
    said = any(f"torn ({torn} bytes" in note for note in alone.notes)
    return not judge("", chain, log.head).whole and alone.whole and said == bool(torn)


# ---- kills -----------------------------------------------------------------------------------


@dataclass
class Toll:
    """What killing writers cost."""

    acknowledged: int = 0
    lost: int = 0
    events: int = 0
    unannounced: int = 0
    broken: int = 0


def _kills(place: Path, times: int, chance: random.Random) -> Iterator[Figure]:
    for kind, compare in (("session", _compare_session), ("store", _compare_store)):
        toll = Toll()
        for number in range(times):
            _kill(kind, place / kind / str(number), chance.uniform(0, 0.2), toll, compare)
        yield counted(
            f"{kind} killed: acknowledged records lost", toll.lost, toll.acknowledged, "records", NONE
        )
        yield counted(f"{kind} killed: logs broken, or not opened again", toll.broken, times, "logs", NONE)
        if toll.events:
            words = f"{kind} killed: input events without an intent in the log"
            yield counted(words, toll.unannounced, toll.events, "events", NONE)


Compare = Callable[[Sequence[str], Sequence[Record], Toll], None]


def _kill(kind: str, data: Path, seconds: float, toll: Toll, compare: Compare) -> None:
    """Start a writer, kill it so many seconds after it begins to work, and compare."""
    place = data / "runs" / ("" if kind == "session" else "run")
    command = [sys.executable, "-m", WRITERS[kind], str(place)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as writer:
        out = writer.stdout
        assert out is not None  # noqa: S101 - it is a pipe
        said = _begun(out.fileno())
        said += _listen(out.fileno(), time.monotonic() + seconds)
        writer.kill()
        said += out.read()
    (log,) = (data / "runs").glob("*/events.jsonl")
    try:
        if not verify(log).whole:
            raise StoreError("it is broken")
        RunStore(log.parent).close()
        records = list(read(log))
    except StoreError:
        toll.broken += 1
        return
    compare(said[: said.rfind(b"\n") + 1].decode().splitlines(), records, toll)


def _begun(pipe: int) -> bytes:
    """What a writer says up to its first input event, or record."""
    said = b""
    while b"did " not in said and b"kept " not in said:
        piece = os.read(pipe, 65536)
        if not piece:
            raise BenchmarkError(f"the writer ended by itself: {said[-500:]!r}")
        said += piece
    return said


def _listen(pipe: int, until: float) -> bytes:
    said = b""
    while time.monotonic() < until:
        said += os.read(pipe, 65536)
    return said


def _compare_session(lines: Sequence[str], records: Sequence[Record], toll: Toll) -> None:
    recorded = {(record.kind, fields_of(record).get("time")) for record in records}
    told = [line.split() for line in lines if line.startswith("told ")]
    toll.acknowledged += len(told)
    toll.lost += sum((kind, float(stamp)) not in recorded for _, kind, stamp in told)
    intended = [op for record in records if record.kind == "intent" for op in record.data["operations"]]
    did = [msgspec.json.decode(line[4:]) for line in lines if line.startswith("did ")]
    toll.events += len(did)
    toll.unannounced += _unannounced(did, intended)


def _unannounced(did: Sequence[dict[str, Any]], intended: Sequence[dict[str, Any]]) -> int:
    """Events that no operation in the log stands for: each move its own, each press one that presses."""
    spots = {(op["x"], op["y"]) for op in intended if op["op"] == "move"}
    presses: int = sum(op["op"] == "key_down" for op in intended)
    strange: int = sum(each["event"] == "move" and (each["x"], each["y"]) not in spots for each in did)
    strange += sum(each["event"] not in ("move", "keydown", "keyup") for each in did)
    pressed: int = sum(each["event"] == "keydown" for each in did)
    return strange + max(0, pressed - presses)


def _compare_store(lines: Sequence[str], records: Sequence[Record], toll: Toll) -> None:
    toll.acknowledged += len(lines)
    toll.lost += sum(int(line.split()[1]) >= len(records) for line in lines)


# ---- speed -----------------------------------------------------------------------------------


def _speed(data: Path, times: int) -> Figure:
    """Appending with a witness at the other end of a pipe, as a guard is."""
    theirs, ours = os.pipe()
    folder = data / "runs" / "run"
    store = RunStore(folder, Heads(folder, lambda *head: offer(ours, *head)))
    samples = []
    for number in range(times):
        began = time.perf_counter()
        store.append("note", {"text": f"fact {number}", "at": [number, number], "words": "x" * 200})
        samples.append((time.perf_counter() - began) * 1e6)
        if number % 200 == 199:
            os.read(theirs, 65536)
    store.close()
    os.close(ours)
    os.close(theirs)
    return measured("appending a record, its head told to a guard", samples, "us")
