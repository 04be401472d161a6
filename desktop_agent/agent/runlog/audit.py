"""Verifies the log of a run: every line as it was written, none missing, pictures unchanged.

The hash chain shows lines that were edited, removed, inserted or moved. The head that is kept apart from
the log (`runlog.heads`) shows lines cut off at the end, and a chain that was computed anew. The first record
names the folder of the run: a log found under another name was moved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from desktop_agent.agent.runlog import heads
from desktop_agent.agent.runlog.hash_chained_log import GENESIS, Record, fields_of, hash_of, parse
from desktop_agent.agent.runlog.heads import Head
from desktop_agent.agent.runlog.run_names import is_run_name
from desktop_agent.protocol.errors import StoreError

_FRAME = re.compile(r"frames/[0-9a-f]{1,128}\.[a-z]{1,8}", re.ASCII)


class LogProblem(msgspec.Struct, frozen=True):
    """One thing that is not as it was written; `line` counts from 1 and is 0 when it is about no single line."""

    line: int
    words: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.words}" if self.line else self.words


class AuditResult(msgspec.Struct, frozen=True):
    """What verifying a log found.

    `notes` are not problems: the program crashed while writing, say, or no head was ever kept. `witnessed`
    counts the lines up to the one in the head; `ended` says that the head marks that line as the last.
    """

    log: str
    lines: int
    witnessed: int
    ended: bool
    problems: tuple[LogProblem, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        return not self.problems

    @property
    def certain(self) -> bool:
        """No problems, and the head covers every line to the end."""
        return self.whole and self.ended and self.witnessed == self.lines


class Chain(msgspec.Struct, frozen=True):
    """The lines of a log; `hashes` has one entry a line, "" for a line that was changed; `torn` bytes end without a line feed."""

    hashes: tuple[str, ...]
    records: tuple[Record, ...]
    problems: tuple[LogProblem, ...]
    torn: int


def verify(log: Path, folder: Path | None = None) -> AuditResult:
    """Verify a log (the file, or the folder of its run); `folder` is where its head is, if not where it belongs.

    Raises StoreError when the log cannot be read.
    """
    return read_verified(log, folder)[1]


def read_verified(log: Path, folder: Path | None = None) -> tuple[Chain, AuditResult]:
    """The records of a log and the verdict over just these bytes, as `verify` does. Raises StoreError."""
    path = log / "events.jsonl" if log.is_dir() else log
    try:
        data = path.read_bytes()
    except OSError as error:
        raise StoreError(
            f"{path} cannot be read: {error.strerror}.", "Name the log or the folder of a run."
        ) from error
    return examined(path, data, folder)


def examined(
    path: Path, data: bytes, folder: Path | None = None, *, pictures: bool = True
) -> tuple[Chain, AuditResult]:
    """The records of a log with these bytes, and the verdict over them; `pictures` are not looked at when False."""
    run = path.absolute().parent
    folder = folder or heads.folder_of(run)
    head: Head | None = None
    distrust: list[LogProblem] = []
    try:
        head = heads.read(folder, run.name)
    except StoreError as error:
        distrust.append(LogProblem(0, str(error)))
    chain = chain_of(data)
    origin, strange = _belonging(chain, run.name)
    distrust += strange
    if origin != run.name:
        head = None
        try:
            head = heads.read(folder, origin)
        except StoreError as error:
            distrust.append(LogProblem(0, str(error)))
    if head is None and len(distrust) == len(strange) and _promised(chain):
        missing = heads.path_of(folder, origin)
        distrust.append(LogProblem(0, f"The head of this log is missing: there is no {missing}."))
    changed, vague = _frames(run, chain.records) if pictures else ([], [])
    return chain, judge(str(path), chain, head, (*distrust, *changed), vague)


def judge(
    log: str,
    chain: Chain,
    head: Head | None,
    more: Sequence[LogProblem] = (),
    notes: Sequence[str] = (),
) -> AuditResult:
    """The verdict over a chain and its head; `more` problems and `notes` were found elsewhere."""
    found = [*chain.problems, *_repairs(chain.records)]
    said = list(notes)
    if head is not None:
        found += _against(chain, head)
        if not head.ended:
            said.append(_unfinished(chain, head))
    elif not more:
        said.append("Nobody witnessed this log: lines cut off at its end would not be missed.")
    if chain.torn:
        said.append(
            f"The last line is torn ({chain.torn} bytes without an end): the program ended while writing it."
        )
    return AuditResult(
        log=log,
        lines=len(chain.hashes),
        witnessed=head.seq + 1 if head is not None else 0,
        ended=head is not None and head.ended,
        problems=(*found, *more),
        notes=tuple(said),
    )


# ---- the chain -------------------------------------------------------------------------------


def chain_of(data: bytes) -> Chain:
    """Read a log's bytes, going on after each break."""
    *lines, rest = data.split(b"\n")
    head, seq = GENESIS, 0
    hashes: list[str] = []
    records: list[Record] = []
    problems: list[LogProblem] = []
    for number, line in enumerate(lines, 1):
        record = parse(line)
        if record is None:
            problems.append(LogProblem(number, "was changed."))
            hashes.append("")
            head, seq = "", seq + 1
            continue
        if record.seq != seq or (head and record.prev != head):
            problems.append(LogProblem(number, _break(record, seq)))
        hashes.append(record.hash)
        records.append(record)
        head, seq = record.hash, record.seq + 1
    return Chain(tuple(hashes), tuple(records), tuple(problems), len(rest))


def _break(record: Record, expected: int) -> str:
    if record.seq > expected:
        gone = record.seq - expected
        return f"{_count(gone, 'record')} before it {'is' if gone == 1 else 'are'} missing here."
    if record.seq < expected:
        return f"record {record.seq} stands here again or was moved; record {expected} belongs here."
    return "does not follow the line before it: one of the two was replaced."


def _repairs(records: Sequence[Record]) -> Iterator[LogProblem]:
    for record in records:
        lost = fields_of(record).get("records_missing", 0) if record.kind == "repaired" else 0
        if isinstance(lost, int) and lost > 0:
            yield LogProblem(
                record.seq + 1, f"{_count(lost, 'record')} had been lost when the log was opened again."
            )


def _against(chain: Chain, head: Head) -> Iterator[LogProblem]:
    """Where the chain contradicts the head."""
    lines = len(chain.hashes)
    if lines <= head.seq:
        lost = head.seq + 1 - lines
        are = "is" if lost == 1 else "are"
        yield LogProblem(0, f"The log ends too early: {_count(lost, 'record')} {are} missing at its end.")
    elif chain.hashes[head.seq] != head.hash:
        yield LogProblem(head.seq + 1, "is not what was witnessed: the log was written anew up to here.")
    if head.ended and (lines > head.seq + 1 or chain.torn):
        yield LogProblem(head.seq + 2, "was added after the end of the run.")


def _unfinished(chain: Chain, head: Head) -> str:
    later = len(chain.hashes) - head.seq - 1
    words = f"; {_count(later, 'record')} after the last witnessed one" if later > 0 else ""
    return f"The run was not closed: it is still going on, or it was cut short{words}."


def _promised(chain: Chain) -> bool:
    """Does the log begin with the record that a head is kept? False when its beginning cannot be read."""
    first = chain.records[0] if chain.records else None
    return first is not None and first.kind == "opened"


def _belonging(chain: Chain, name: str) -> tuple[str, list[LogProblem]]:
    """The run that the log says it is of, and what is strange about finding it in the folder called `name`."""
    first = chain.records[0] if chain.records and chain.hashes[0] else None
    said = fields_of(first).get("run") if first is not None else None
    if isinstance(said, str) and said != name and Path(said).name == said:
        return said, [LogProblem(1, f"This log was moved from {said}: it is not that of {name}.")]
    if is_run_name(name) and first is not None and said != name:
        return name, [LogProblem(1, "is not how a log of this program begins: it does not name its run.")]
    return name, []


# ---- pictures --------------------------------------------------------------------------------


def _frames(run: Path, records: Sequence[Record]) -> tuple[list[LogProblem], list[str]]:
    """Problems with the pictures that the log records, and a note on pictures that it does not."""
    problems: list[LogProblem] = []
    known: set[str] = set()
    for record in records:
        if record.kind == "frame":
            fields = fields_of(record)
            known.add(str(fields.get("file", "")))
            words = _picture(run, fields)
            problems += [LogProblem(record.seq + 1, words)] if words else []
    folder = run / "frames"
    kept = {f"frames/{each.name}" for each in folder.iterdir()} if folder.is_dir() else set()
    strange = len(kept - known)
    return problems, [f"{_count(strange, 'picture')} beside the log not recorded in it."] if strange else []


def _picture(run: Path, data: dict[str, Any]) -> str:
    """What is wrong with a recorded picture; "" for nothing."""
    name, wanted = str(data.get("file", "")), data.get("hash", "")
    if not _FRAME.fullmatch(name):
        return f"the picture has a name that no picture has: {name[:80]!r}."
    try:
        found = hash_of((run / name).read_bytes())
    except OSError as error:
        return f"the picture {name} cannot be read: {error.strerror}."
    return "" if found == wanted else f"the picture {name} was changed."


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
