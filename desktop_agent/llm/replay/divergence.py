"""Finds where a run first differs from the recorded one, by what can be the same in two runs.

Compared are the user's words, the operations offered, outcomes, windows, and the elements by role, name, value and
window. Not compared are pictures, places, ids, times of day, random marks, and words read from the picture.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from desktop_agent.llm.base import Conversation
from desktop_agent.llm.replay.recording import RecordedQuestion
from desktop_agent.vision.elements.element_table import ElementRow, rows_of
from desktop_agent.vision.observation import Observation

_CHANGING = re.compile(
    r"\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp][Mm])?\b|\b[0-9a-f]{16,}\b"
)
"""Dates, times of day, and random marks."""
_NOTHING = "nothing"
_SHOWN = 200


class Divergence(msgspec.Struct, frozen=True):
    """The first difference: `what` differs in turn `turn`, what was recorded, and what is now."""

    turn: int
    what: str
    recorded: str
    now: str

    @property
    def words(self) -> str:
        """For the user."""
        return (
            f"This run differs from the recorded one, first in turn {self.turn}: {self.what}. "
            f"Recorded: {self.recorded}. Now: {self.now}."
        )


def find_divergence(
    recorded: RecordedQuestion, conversation: Conversation, observation: Observation
) -> Divergence | None:
    """The first difference between what was told then and what is told now; None where there is none."""
    for what, then, now in _compared(recorded, conversation, observation):
        if then != now:
            return Divergence(conversation.turn, what, _cut(then), _cut(now))
    return None


def _compared(
    recorded: RecordedQuestion, conversation: Conversation, observation: Observation
) -> Iterator[tuple[str, str, str]]:
    yield "the turn", str(recorded.turn), str(conversation.turn)
    yield "the goal", _plain(recorded.goal), _plain(conversation.goal)
    said = tuple(text for _, text in conversation.said)
    yield "what the user said later", _listed(recorded.said), _listed(said)
    yield "the operations offered", *_apart(recorded.operations, conversation.operations)
    yield "what came of the last operations", *_deeds(recorded, conversation)
    size = observation.viewport.image
    yield "the size of the picture", "{}x{}".format(*recorded.picture), f"{size.width}x{size.height}"
    yield "the active window", _plain(recorded.window), _plain(observation.window)
    yield "the windows", *_apart(map(_plain, recorded.windows), map(_plain, observation.windows))
    now = rows_of(observation.elements)
    yield "the elements", *_apart(map(_element, _kept(recorded.elements.values())), map(_element, _kept(now)))


def _deeds(recorded: RecordedQuestion, conversation: Conversation) -> tuple[str, str]:
    """Those of the turn before; a conversation that keeps few of them is compared by those."""
    now = [
        f"{each.words}: {each.outcome}" for each in conversation.deeds if each.turn == conversation.turn - 1
    ]
    then = [f"{each.words}: {each.outcome}" for each in recorded.deeds]
    if len(now) == len(conversation.deeds) < len(then):
        then = then[-len(now) :] if now else then
    return _listed(then), _listed(now)


def _apart(then: Iterable[str], now: Iterable[str]) -> tuple[str, str]:
    """What only one of them has, as often as it has it; where nothing is left both are the same."""
    before, after = Counter(then), Counter(now)
    return _listed((before - after).elements()), _listed((after - before).elements())


def _kept(rows: Iterable[ElementRow]) -> Iterator[ElementRow]:
    return (row for row in rows if not row.read)


def _element(row: ElementRow) -> str:
    value = f" = “{_plain(row.value)}”" if row.value else ""
    return f"{row.role} “{_plain(row.name)}”{value} in “{_plain(row.window)}”"


def _listed(texts: Iterable[str]) -> str:
    return "; ".join(map(_plain, texts)) or _NOTHING


def _plain(text: str) -> str:
    return " ".join(_CHANGING.sub("…", text).split())


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
