"""Reads a recording: the answers of a run's log with what was asked for each, or a file of replies."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from desktop_agent.protocol.errors import ModelError
from desktop_agent.vision.elements.element_table import ElementRow, ElementTable, LookChange


@dataclass(frozen=True)
class RecordedDeed:
    """What an operation was and what came of it."""

    turn: int
    words: str
    outcome: str


@dataclass(frozen=True)
class RecordedQuestion:
    """What a model was told when it gave an answer: the user's words, outcomes so far, and what the look showed."""

    turn: int
    goal: str
    said: tuple[str, ...]
    operations: tuple[str, ...]
    deeds: tuple[RecordedDeed, ...]
    picture: tuple[int, int]
    window: str
    windows: tuple[str, ...]
    elements: Mapping[str, ElementRow]


@dataclass(frozen=True)
class RecordedTurn:
    """One answer; `asked` is None where the recording does not tell it. `spoken` are answers to questions before it."""

    raw: str
    asked: RecordedQuestion | None = None
    spoken: tuple[str, ...] = ()


@dataclass(frozen=True)
class RecordedRun:
    """A run's answers in order. `of_run`: it is the log of one; `conversed`: that one's model read a conversation.

    `dialect` is the form of the answers.
    """

    turns: tuple[RecordedTurn, ...]
    of_run: bool = False
    conversed: bool = False
    dialect: str = "json"
    last_spoken: tuple[str, ...] = ()
    """What was answered in words after the last of them."""

    @property
    def picture_edge(self) -> int:
        """The longest edge of the pictures that the answers' coordinates are of, in pixels; 0 when it is not told."""
        return max((max(each.asked.picture) for each in self.turns if each.asked is not None), default=0)


def read_recording(path: Path) -> RecordedRun:
    """The recording at this path; a torn last line is passed over. Raises ModelError."""
    path = path / "events.jsonl" if path.is_dir() else path
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError as error:
        raise ModelError(
            f"The recording {path} cannot be read: {error.strerror}.",
            "Check the path after replay:, or `path` in [llm.replay].",
        ) from error
    reader = _Reader()
    for number, entry in _entries(path, lines):
        try:
            reader.take(entry)
        except (msgspec.ValidationError, TypeError, ValueError) as error:
            raise ModelError(f"{path}:{number} is damaged: {error}.", "Choose another recording.") from error
    if not reader.turns:
        raise ModelError(f"The recording {path} holds no answers.", "Choose the log of a run.")
    return RecordedRun(
        tuple(reader.turns), reader.of_run, reader.conversed, reader.dialect, reader.unplaced()
    )


def _entries(path: Path, lines: list[str]) -> Iterator[tuple[int, Any]]:
    last = max((number for number, line in enumerate(lines, 1) if line.strip()), default=0)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line)
        except ValueError as error:
            if number == last:
                return
            raise ModelError(
                f"{path}:{number} is not JSON: {error}.", "Repair or remove the line."
            ) from error


class _Look(msgspec.Struct, frozen=True):
    """The data of an `asked` record; `operations` only where they are others than before."""

    turn: int
    look: LookChange
    operations: tuple[str, ...] | None = None


@dataclass
class _Reader:
    """Takes the lines one by one and keeps what a model knew at each answer."""

    turns: list[RecordedTurn] = field(default_factory=list)
    of_run: bool = False
    conversed: bool = False
    dialect: str = "json"
    _words: list[str] = field(default_factory=list)
    _deeds: list[RecordedDeed] = field(default_factory=list)
    _spoken: list[str] = field(default_factory=list)
    _operations: tuple[str, ...] = ()
    _table: ElementTable = field(default_factory=ElementTable)
    _look: _Look | None = None

    def take(self, entry: Any) -> None:
        data = entry.get("data") if isinstance(entry, dict) else None
        if isinstance(entry, str):
            self._answer(entry)
        elif isinstance(data, dict):
            self._take_record(str(entry.get("kind", "")), data)
        elif (
            isinstance(entry, dict)
            and entry
            and entry.keys() <= {"notes", "high_level", "scope", "step", "actions"}
        ):
            self._answer(json.dumps(entry, ensure_ascii=False))

    def _take_record(self, kind: str, data: dict[str, Any]) -> None:
        self.of_run = True
        match kind:
            case "reply" if "raw" in data:
                self.dialect = str(data.get("dialect", "json"))
                self._answer(str(data["raw"]))
            case "spoken" if "raw" in data:
                self._spoken.append(str(data["raw"]))
            case "goal":
                self._words.append(str(data.get("text", "")))
            case "deeds":
                self._deeds += [_deed(each) for each in data.get("deeds", ())]
            case "message":
                self.conversed = True
            case "resumed":
                self._table = ElementTable()  # the next look tells all elements anew
            case "asked":
                look = msgspec.convert(data, _Look)
                self._table.apply(look.look)
                self._operations = self._operations if look.operations is None else look.operations
                self._look = look

    def unplaced(self) -> tuple[str, ...]:
        """What was answered in words since the last answer."""
        return tuple(self._spoken)

    def _answer(self, raw: str) -> None:
        self.turns.append(RecordedTurn(raw, self._asked(), tuple(self._spoken)))
        self._spoken.clear()
        self._look = None

    def _asked(self) -> RecordedQuestion | None:
        if self._look is None:
            return None
        turn, look = self._look.turn, self._look.look
        return RecordedQuestion(
            turn=turn,
            goal=next(iter(self._words), ""),
            said=tuple(self._words[1:]),
            operations=self._operations,
            deeds=tuple(each for each in self._deeds if each.turn == turn - 1),
            picture=look.picture,
            window=look.window,
            windows=look.windows,
            elements=self._table.rows,
        )


def _deed(data: Mapping[str, Any]) -> RecordedDeed:
    return RecordedDeed(int(data["turn"]), str(data["words"]), str(data["outcome"]))
