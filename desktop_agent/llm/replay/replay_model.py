"""Plays recorded answers as a model: for tests, demos and looking again."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence

import msgspec

from desktop_agent.llm.base import Answer, Conversation, Model, Remark, SpokenAnswer, Support
from desktop_agent.llm.replay.divergence import Divergence, find_divergence
from desktop_agent.llm.replay.element_mapping import is_missing, named, text_with_ids, todays_ids, with_ids
from desktop_agent.llm.replay.recording import RecordedRun, RecordedTurn
from desktop_agent.protocol.chat_messages import Message
from desktop_agent.protocol.errors import ModelError
from desktop_agent.protocol.reply import Reply
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.elements.element_table import rows_of
from desktop_agent.vision.observation import Observation

_UNTOLD = "the recording does not tell which elements its ids named, so they are used as they are"


class ReplayModel(Model):
    """Gives the recorded answers in order, whatever it is asked, and tells once where the run first differs."""

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
        turn = self._take()
        if turn.asked is not None:
            self._note(find_divergence(turn.asked, conversation, observation))
        conversation.dialect.note_reader(on_note).feed(turn.raw)
        stop.check()
        reply = conversation.decode(turn.raw)
        reply, raw = self._for_today(turn, reply, conversation, observation)
        calls = conversation.calls(raw)
        return Answer(reply, raw, calls=calls, remark=self._remark())

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
            over = self._next == len(self._turns)
            self._spoken = deque(self._last_spoken if over else self._turns[self._next].spoken)
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
