"""Answers played back from a recording or a list of replies: for tests, demos and looking again."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from desktop_agent.llm.base import Answer, Conversation, Model, Support
from desktop_agent.protocol.errors import ModelError
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.observation import Observation


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[llm.replay]. `path` is a run's folder, its log, or a JSON Lines file of replies.

    In a file of replies each line is a reply (an object) or a raw answer (a string).
    """

    path: str = ""


def create(options: Options) -> Model:
    """The model that the options describe. Raises ModelError when there is nothing to replay."""
    if not options.path:
        raise ModelError("No recording to replay is named.", "Set `path` in [llm.replay].")
    return ReplayModel(read_recording(Path(options.path)), name=Path(options.path).name)


class ReplayModel(Model):
    """Gives the recorded answers in order, whatever it is asked."""

    def __init__(self, answers: Iterable[str], name: str = "replay") -> None:
        self.name = name
        self.support = Support(images=False, strict_schema=False, messages=False, proves_done=True)
        self._lock = threading.Lock()
        self._answers = list(answers)
        self._next = 0

    def server(self) -> str:
        return ""

    def reply(
        self,
        conversation: Conversation,
        observation: Observation,  # noqa: ARG002  # a recording has seen its own
        *,
        on_note: Callable[[str], None],
        stop: StopFlag,
    ) -> Answer:
        stop.check()
        raw = self._take()
        conversation.dialect.note_reader(on_note).feed(raw)
        stop.check()
        return Answer(conversation.dialect.decode(raw, conversation.operations or None), raw)

    def _take(self) -> str:
        with self._lock:
            if self._next >= len(self._answers):
                raise ModelError(
                    f"The recording {self.name} is over after {len(self._answers)} answers.",
                    "Record a longer run, or go on with another model.",
                )
            self._next += 1
            return self._answers[self._next - 1]


def read_recording(path: Path) -> list[str]:
    """The raw answers in a recording; a torn last line is passed over. Raises ModelError."""
    path = path / "events.jsonl" if path.is_dir() else path
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise ModelError(
            f"The recording {path} cannot be read: {error.strerror}.", "Check `path` in [llm.replay]."
        ) from error
    answers = list(_answers_in(path, lines))
    if not answers:
        raise ModelError(f"The recording {path} holds no answers.", "Choose the log of a run.")
    return answers


def _answers_in(path: Path, lines: list[str]) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except ValueError as error:
            if number == len(lines):
                return
            raise ModelError(
                f"{path}:{number} is not JSON: {error}.", "Repair or remove the line."
            ) from error
        answer = _answer_in(entry)
        if answer is not None:
            yield answer


def _answer_in(entry: Any) -> str | None:
    if isinstance(entry, str):
        return entry
    if not isinstance(entry, dict):
        return None
    data = entry.get("data")
    if isinstance(data, dict):  # a line of a run's log
        return str(data["raw"]) if entry.get("kind") == "reply" and "raw" in data else None
    is_reply = bool(entry) and entry.keys() <= {"notes", "high_level", "scope", "step", "actions"}
    return json.dumps(entry, ensure_ascii=False) if is_reply else None
