"""Reads from the log of a run that was cut short what it needs to go on: words, plan, outcomes, conversation.

Nothing that the user approved is read back: a yes was to what was there then. Anybody who can write to the log can
add to its end, as the chain has no key: of the records after its head only what makes the run more careful counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from desktop_agent.agent.context.context import restored
from desktop_agent.agent.runlog.audit import read_verified
from desktop_agent.agent.runlog.hash_chained_log import Record, fields_of
from desktop_agent.llm.base import Deed, TokenUsage
from desktop_agent.policy.consent.asked_rows import is_offered
from desktop_agent.policy.facts.op_text import present
from desktop_agent.policy.facts.place import Subject
from desktop_agent.protocol.agent_events import Spent
from desktop_agent.protocol.chat_messages import Message, PictureBlock
from desktop_agent.protocol.errors import StoreError
from desktop_agent.protocol.geometry import Rect, Size
from desktop_agent.protocol.ops import Op
from desktop_agent.redaction.redactor import has_outdated, outdated
from desktop_agent.tools.base import Response
from desktop_agent.vision.elements.element_table import ElementTable, LookChange
from desktop_agent.vision.observation import Element

NOT_KNOWN = "it is not known whether this was carried out: look first"
_ANEW = "Give the goal anew."
_NOWHERE = Rect(0, 0, 0, 0)
_CAREFUL = frozenset(("goal", "turn", "usage", "action", "asked", "sources", "intent", "environment"))
"""What is read of records that nobody vouches for: of words and operations only that there may have been some."""


@dataclass
class PastRun:
    """What a run had come to when it ended.

    `by` is the program that has begun it, "" for the user. `said` are the user's later words with the turn they came in, `own` those that the user worded, the goal first:
    only they grant something. `pictures` are those that the user gave, with the turn, without their data. `front` are grants by what was in front when the goal was given, `sources` whose
    content was read. The last of `deeds`, from `told_deeds` on, the model was not told of; the last of all may be
    operations of which it is not known whether they were carried out. `messages` is the conversation, in which
    `told_words` of `said` stand, `mark` that of its untrusted blocks. `actions` counts those begun. `unsure` are words
    that nobody vouches for: they stand nowhere else. `spent` is the cost of all calls, `last` that of the last one.
    `earlier` is what the run was told of those before it. `worked` is from when to when it was recorded, in nanoseconds since the epoch.
    """

    folder: Path
    goal: str = ""
    by: str = ""
    said: list[tuple[int, str]] = field(default_factory=list)
    own: list[str] = field(default_factory=list)
    pictures: list[tuple[int, PictureBlock]] = field(default_factory=list)
    front: tuple[str, ...] = ()
    sources: list[Subject] = field(default_factory=list)
    plan: tuple[str, ...] = ()
    step: int = 0
    turn: int = 1
    deeds: list[Deed] = field(default_factory=list)
    told_deeds: int = 0
    notes: list[str] = field(default_factory=list)
    messages: tuple[Message, ...] = ()
    told_words: int = 0
    mark: str = ""
    earlier: str = ""
    actions: int = 0
    unsure: list[str] = field(default_factory=list)
    spent: Spent = Spent()
    last: TokenUsage = TokenUsage()
    worked: list[tuple[int, int]] = field(default_factory=list)

    @property
    def unknown(self) -> int:
        """How many operations are not known to have been carried out."""
        return sum(deed.detail == NOT_KNOWN for deed in self.deeds)

    @property
    def lost_secrets(self) -> bool:
        """Did the user's words hold a secret that has to be given again?"""
        return any(map(has_outdated, (self.goal, *(text for _, text in self.said))))


def folder_of_run(words: str, runs: Path) -> Path:
    """The folder of a run by its path or its name alone. Raises StoreError for one that is not among `runs`."""
    path = Path(words).expanduser()
    path = path.parent if path.name == "events.jsonl" else path
    folder = runs / words if len(path.parts) == 1 and not path.is_dir() else path
    if not (folder / "events.jsonl").is_file():
        raise StoreError(f"There is no run in {folder}.", f"Name a folder of {runs}.")
    if folder.resolve().parent != runs.resolve():
        raise StoreError(f"{folder} is not among the runs of this program.", f"Name a folder of {runs}.")
    return folder.resolve()


def read_past_run(folder: Path) -> PastRun:
    """What a run had come to. Raises StoreError for one that ended with done, and for a log that is not as it was written."""
    chain, verdict = read_verified(folder)
    if verdict.problems:
        raise StoreError(f"The log of this run is damaged: {verdict.problems[0]}", _ANEW)
    if not verdict.witnessed:
        raise StoreError("The head of this log is not there, so nobody vouches for its words.", _ANEW)
    records = list(chain.records)
    if any(each.kind == "done" for each in records):
        raise StoreError(f"The run {folder.name} cannot go on: it ended with done.", "Give a new goal.")
    reader = _Reader(PastRun(folder), _unsure(records, verdict.witnessed))
    try:
        reader.read([msgspec.structs.replace(each, data=_outdated(each.data)) for each in records])
    except (msgspec.ValidationError, KeyError, TypeError, ValueError) as error:
        raise StoreError(f"The log of this run cannot be understood: {error}.", _ANEW) from error
    if not reader.run.goal:
        raise StoreError("The log of this run holds no goal that anybody vouches for.", _ANEW)
    if reader.run.by:
        raise StoreError(f"The run was begun by {reader.run.by}, not by you.", "Begin it there again.")
    return reader.run


def _unsure(records: list[Record], witnessed: int) -> frozenset[int]:
    """The numbers of the records that came after the head, at the end and before each time the log was opened again."""
    found = set(range(witnessed, len(records)))
    for record in reversed(records):
        vouched = fields_of(record).get("vouched")
        if record.kind in ("opened", "repaired") and record.seq not in found and isinstance(vouched, int):
            found.update(range(vouched, record.seq))
    return frozenset(found)


def _worked(records: list[Record]) -> Iterable[tuple[int, int]]:
    """From when to when a run was at work, each time that its log was opened; in nanoseconds since the epoch."""
    start = end = 0.0
    for record in records:
        if record.kind in ("opened", "repaired"):
            if start:
                yield int(start * 1e9), int(end * 1e9)
            start = record.time
        end = record.time
    yield int(start * 1e9), int(end * 1e9)


def _outdated(data: Any) -> Any:
    """Plain data with the stand-ins of secrets in all its texts outdated."""
    match data:
        case str():
            return outdated(data)
        case dict():
            return {key: _outdated(value) for key, value in data.items()}
        case list():
            return [_outdated(each) for each in data]
    return data


@dataclass
class _Reader:
    """Follows a log record by record; `unsure` are the numbers of those that nobody vouches for."""

    run: PastRun
    unsure: frozenset[int] = frozenset()
    _pending: list[Op] = field(default_factory=list)
    _answered: list[Deed] = field(default_factory=list)
    _choices: tuple[str, ...] = ()
    _table: ElementTable = field(default_factory=ElementTable)

    def read(self, records: list[Record]) -> None:
        """Take in the whole log."""
        sure = [each for each in records if each.seq not in self.unsure]
        self.run.worked = list(_worked(sure))
        for record in records:
            if record.seq not in self.unsure:
                self._take(record.kind, fields_of(record))
            elif record.kind in _CAREFUL:
                self._take_unsure(record.kind, fields_of(record))
        elements = {id: _element(row.id, row.role, row.name) for id, row in self._table.rows.items()}
        self.run.deeds += self._answered
        for op in self._pending:
            self.run.deeds.append(Deed(self.run.turn, op, present(op, elements), "stopped", NOT_KNOWN))
        self.run.messages = restored(sure)

    def _take_unsure(self, kind: str, data: dict[str, Any]) -> None:
        if kind == "goal":
            self.run.unsure.append(str(data["text"]))
        else:
            self._take(kind, data)

    def _take(self, kind: str, data: dict[str, Any]) -> None:
        run = self.run
        match kind:
            case "goal":
                self._hear(str(data["text"]), str(data.get("by", "")))
            case "question":
                self._choices = tuple(data["choices"])
                run.notes.append(str(data["text"]))
            case "note":
                run.notes.append(str(data["text"]))
            case "given_picture":
                file = str(data["file"])
                kind_ = "image/png" if file.endswith(".png") else "image/jpeg"
                block = PictureBlock(kind_, msgspec.convert(data["size"], Size), file=file)
                run.pictures.append((int(data["turn"]), block))
            case "scope":
                run.front = tuple(data.get("front", ()))
            case "sources":
                run.sources += [Subject(kind_, str(what)) for kind_, what in data["sources"]]
            case "plan":
                run.plan, run.step = tuple(map(str, data["steps"])), int(data["current"])
            case "turn":
                run.turn = max(run.turn, int(data["number"]) + 1)
            case "usage":
                self._spend(_spent(data))
            case "action":
                run.actions = max(run.actions, int(data["number"]))
            case "asked":
                self._table.apply(msgspec.convert(data["look"], LookChange))
            case "resumed":
                self._table = ElementTable()
                run.unsure.clear()
            case "conversation":
                run.mark, run.earlier = str(data["mark"]), str(data.get("earlier", ""))
            case "message":
                self._told(str(data["role"]))
            case _:
                self._take_deed(kind, data)

    def _take_deed(self, kind: str, data: dict[str, Any]) -> None:
        """What was about to be done, and what came of it."""
        run = self.run
        match kind:
            case "intent":
                batch = msgspec.convert(data["operations"], list[Op])
                self._pending += [op for op in batch if not op.traits.passive]
            case "environment":
                self._pending.append(msgspec.convert(data["op"], Op))
            case "response" if self._pending:
                op, response = self._pending.pop(), msgspec.convert(data, Response)
                self._answered.append(Deed(run.turn, op, present(op, {}), response.outcome, response.detail))
            case "deeds":
                run.deeds += msgspec.convert(data["deeds"], list[Deed])
                self._pending.clear()
                self._answered.clear()

    def _hear(self, text: str, by: str) -> None:
        run = self.run
        picked = is_offered(text, self._choices)
        self._choices = ()
        if not run.goal:
            run.goal, run.by = text, by
        else:
            run.said.append((run.turn, text))
        if not (picked or by):
            run.own.append(text)

    def _spend(self, total: Spent) -> None:
        """Take in new totals, which never go down."""
        before = self.run.spent
        if total.input_tokens + total.output_tokens >= before.input_tokens + before.output_tokens:
            self.run.spent, self.run.last = total, _between(before, total)

    def _told(self, role: str) -> None:
        """A message was added to the conversation: words of the user, or what came of all operations so far."""
        if role == "user":
            self.run.told_words += 1
        elif role == "environment":
            self.run.told_deeds = len(self.run.deeds)


def _spent(data: Mapping[str, Any]) -> Spent:
    return msgspec.convert({name: data[name] for name in Spent.__struct_fields__ if name in data}, Spent)


def _between(before: Spent, after: Spent) -> TokenUsage:
    """The one call between two totals; its dollars are None when they are not known."""
    unknown = after.dollars is None or (not after.dollars_complete and after.dollars == before.dollars)
    return TokenUsage(
        input=after.input_tokens - before.input_tokens,
        cached=after.cached_tokens - before.cached_tokens,
        output=after.output_tokens - before.output_tokens,
        dollars=None if unknown else (after.dollars or 0.0) - (before.dollars or 0.0),
        written=after.written_tokens - before.written_tokens,
    )


def _element(id: str, role: str, name: str) -> Element:
    return Element(id=id, role=role, name=name, bounds=_NOWHERE)
