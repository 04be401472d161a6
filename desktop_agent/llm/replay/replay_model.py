"""Plays recorded answers as a model: with today's ids of the elements they name, and tells the first difference from the recorded run."""

from __future__ import annotations

import re
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import msgspec

from desktop_agent.llm.base import Answer, Conversation, Model, Remark, SpokenAnswer, Support
from desktop_agent.llm.replay.recording import RecordedQuestion, RecordedRun, RecordedTurn
from desktop_agent.protocol.chat_messages import Message
from desktop_agent.protocol.errors import ModelError
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.reply import Reply
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.elements.element_table import ElementRow, rows_of
from desktop_agent.vision.observation import Observation

_UNTOLD = "the recording does not tell which elements its ids named, so they are used as they are"


_CHANGING = re.compile(
    r"\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp][Mm])?\b|\b[0-9a-f]{16,}\b"
)
"""Dates, times of day, and random marks."""
_NOTHING = "nothing"
_SHOWN = 200


_FIELDS = ("element", "to")
MISSING = "recorded-"
"""Before the id of an element that is not there today: it names none."""
_LONGEST_ID = 64
_MOST_REPEATS = 3
AGAIN = "The screen changed before the recorded answer could be carried out: I give it once more."


class ReplayModel(Model):
    """Gives the recorded answers in order, whatever it is asked, and tells once where the run first differs.

    An answer is given again, and that is told, when the screen changed before anything of it was carried out.
    """

    def __init__(
        self,
        answers: RecordedRun | Iterable[str],
        name: str = "replay",
        *,
        stops_at_divergence: bool = False,
    ) -> None:
        self.name = name
        recording = (
            answers if isinstance(answers, RecordedRun) else RecordedRun(tuple(map(RecordedTurn, answers)))
        )
        self._turns, self._of_run = recording.turns, recording.of_run
        self._last_spoken = recording.last_spoken
        self.dialect = recording.dialect
        edge = recording.picture_edge
        self.support = Support(
            images=edge > 0,  # coordinates are of a picture of the same size
            image_edge=edge or Support().image_edge,
            strict_schema=False,
            messages=recording.conversed,
            unshown_done="asked",
            questions=bool(recording.last_spoken) or any(each.spoken for each in recording.turns),
        )
        self._stops = stops_at_divergence
        self._lock = threading.Lock()
        self._next = 0
        self._repeats = self._later = 0
        self._spoken = deque(self._turns[0].spoken if self._turns else ())
        self._told = False
        self._untold: Divergence | None = None

    def server(self) -> str:
        return ""

    def reply(
        self,
        conversation: Conversation,
        observation: Observation,
        *,
        on_note: Callable[[str], None],
        stop: StopFlag,
    ) -> Answer:
        stop.check()
        again = self._came_too_late(conversation)
        turn = self._give_again() if again else self._take()
        if turn.asked is not None and not again:
            self._note(find_divergence(turn.asked, conversation, observation, later=self._later))
        conversation.dialect.note_reader(on_note).feed(turn.raw)
        stop.check()
        reply = conversation.decode(turn.raw)
        reply, raw = self._for_today(turn, reply, conversation, observation)
        calls = conversation.calls(raw)
        repeated = Remark("repeated", AGAIN, {"turn": conversation.turn}) if again else None
        return Answer(reply, raw, calls=calls, remark=repeated or self._remark())

    def ask(self, system: str, messages: Sequence[Message], *, stop: StopFlag) -> SpokenAnswer:  # noqa: ARG002
        """The answer to the question that was asked at this point of the recorded run."""
        stop.check()
        with self._lock:
            if not self._spoken:
                raise ModelError(
                    f"The recording {self.name} has no answer to a question here.",
                    "Record the run anew, or go on with another model.",
                )
            return SpokenAnswer(self._spoken.popleft())

    def _take(self) -> RecordedTurn:
        with self._lock:
            if self._next >= len(self._turns):
                raise ModelError(
                    f"The recording {self.name} is over after {len(self._turns)} answers.",
                    "Record a longer run, or go on with another model.",
                )
            self._next += 1
            self._repeats = 0
            over = self._next == len(self._turns)
            self._spoken = deque(self._last_spoken if over else self._turns[self._next].spoken)
            return self._turns[self._next - 1]

    def _came_too_late(self, conversation: Conversation) -> bool:
        """Was nothing of the last answer carried out because the screen changed, other than in the recorded run?"""
        if self._stops or not has_come_too_late(conversation):
            return False
        following = self._turns[self._next].asked if self._next < len(self._turns) else None
        return following is None or any(each.outcome == "done" for each in following.deeds)

    def _give_again(self) -> RecordedTurn:
        """The last answer once more. Raises ModelError where it came too late each time."""
        if self._repeats == _MOST_REPEATS:
            raise ModelError(
                f"The screen changed {1 + _MOST_REPEATS} times before a recorded answer could be carried out.",
                "Play the run when the screen is quiet, or go on with another model.",
            )
        self._repeats += 1
        self._later += 1
        return self._turns[self._next - 1]

    def _for_today(
        self, turn: RecordedTurn, reply: Reply, conversation: Conversation, observation: Observation
    ) -> tuple[Reply, str]:
        """The reply with today's ids of the elements it names, and its text."""
        ids = tuple(named(reply))
        if not ids or not self._of_run:
            return reply, turn.raw
        if turn.asked is None:
            self._note(Divergence(conversation.turn, _UNTOLD, ", ".join(ids), "not known"))
            return reply, turn.raw
        todays = todays_ids(ids, turn.asked.elements, tuple(rows_of(observation.elements)))
        for id in filter(lambda each: is_missing(todays[each]), ids):
            row = turn.asked.elements.get(id)
            words = f"{row.role} “{row.name}” in “{row.window}”" if row is not None else f"the element {id}"
            self._note(Divergence(conversation.turn, "an element that the reply names", words, "not there"))
        return with_ids(reply, todays), text_with_ids(turn.raw, todays)

    def _note(self, found: Divergence | None) -> None:
        """Keep the first difference until it is told. Raises ModelError where the run is to end at it."""
        if found is None or self._told:
            return
        self._told, self._untold = True, found
        if self._stops:
            raise ModelError(
                found.words, 'Set on_divergence = "report" in [llm.replay] to go on all the same.'
            )

    def _remark(self) -> Remark | None:
        found, self._untold = self._untold, None
        return None if found is None else Remark("divergence", found.words, msgspec.to_builtins(found))


# Compared are the user's words, the operations offered, outcomes, windows, and the elements by role, name, value and
# window. Not compared are pictures, places, ids, times of day, random marks, and words read from the picture.
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


def has_come_too_late(conversation: Conversation) -> bool:
    """Did the screen change before anything of the last answer was carried out?"""
    last = [each for each in conversation.deeds if each.turn == conversation.turn - 1]
    return any(each.too_late for each in last) and all(
        each.too_late or each.outcome == "skipped" for each in last
    )


def find_divergence(
    recorded: RecordedQuestion, conversation: Conversation, observation: Observation, *, later: int = 0
) -> Divergence | None:
    """The first difference between what was told then and what is told now; None where there is none.

    `later`: so many turns more were needed until now, which is no difference.
    """
    for what, then, now in _compared(recorded, conversation, observation, later):
        if then != now:
            return Divergence(conversation.turn, what, _cut(then), _cut(now))
    return None


def _compared(
    recorded: RecordedQuestion, conversation: Conversation, observation: Observation, later: int
) -> Iterator[tuple[str, str, str]]:
    yield "the turn", str(recorded.turn), str(conversation.turn - later)
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


def named(reply: Reply) -> Iterator[str]:
    """The ids that the reply's operations name, each once."""
    yield from dict.fromkeys(id for op in reply.actions for id in _ids(op).values())


def todays_ids(
    ids: Iterable[str], then: Mapping[str, ElementRow], now: Sequence[ElementRow]
) -> dict[str, str]:
    """For each recorded id the one of today, or one that no element has where that cannot be told."""
    return {id: _found(then[id], then, now) if id in then else _missing(id) for id in ids}


def is_missing(id: str) -> bool:
    """Does the id stand for an element that was not found?"""
    return id.startswith(MISSING)


def with_ids(reply: Reply, ids: Mapping[str, str]) -> Reply:
    """The reply with other ids."""
    return msgspec.structs.replace(reply, actions=tuple(_with_ids(op, ids) for op in reply.actions))


def text_with_ids(raw: str, ids: Mapping[str, str]) -> str:
    """The text of a reply in JSON with other ids; a text in another form stays as it is."""

    def replaced(found: re.Match[str]) -> str:
        return found[1] + ids.get(found[2], found[2]) + found[3]

    return re.sub(r'("(?:element|to)"\s*:\s*")([^"\\]*)(")', replaced, raw)


def _ids(op: Op) -> dict[str, str]:
    return {name: id for name in _FIELDS if isinstance(id := getattr(op, name, None), str)}


def _with_ids(op: Op, ids: Mapping[str, str]) -> Op:
    changed = {name: ids.get(id, id) for name, id in _ids(op).items()}
    return msgspec.structs.replace(op, **changed) if changed else op


def _missing(id: str) -> str:
    return f"{MISSING}{id}"[:_LONGEST_ID]


def _found(wanted: ElementRow, then: Mapping[str, ElementRow], now: Sequence[ElementRow]) -> str:
    """By role, name and window; of several by the path in the tree, the value, and at last their order."""
    same = [row for row in now if _key(row) == _key(wanted)] or [
        row for row in now if _key(row)[:2] == _key(wanted)[:2]
    ]
    for attribute in ("trail", "value"):
        closer = [row for row in same if getattr(row, attribute) == getattr(wanted, attribute)]
        same = closer or same
    if len(same) == 1:
        return same[0].id
    then_same = [row for row in then.values() if _key(row) == _key(wanted)]
    if same and len(same) == len(then_same):
        return sorted(same, key=_order)[sorted(then_same, key=_order).index(wanted)].id
    return _missing(wanted.id)


def _key(row: ElementRow) -> tuple[str, str, str]:
    return row.role, row.name, row.window


def _order(row: ElementRow) -> tuple[int, ...]:
    return row.trail
