"""How far a run has come: the intents of goal and answers, the current one, and which turn worked which.

All of it follows from the conversation; it is kept between calls only so as not to be lost when old
deeds drop out of the history.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from desktop_agent.extras.offline.llm.offline.intents import FillForm, Intent, Unknown
from desktop_agent.extras.offline.llm.offline.language.understand import parse
from desktop_agent.extras.offline.llm.offline.moves import Question
from desktop_agent.extras.offline.llm.offline.sight import Usable
from desktop_agent.extras.offline.llm.offline.words import ordinal
from desktop_agent.llm.base import Conversation, Deed

MAX_SHOWN = 20
ASIDE = -1
"""The step of what was done for no intent."""
_CALLED_OFF = re.compile(
    r"(?:no,?\s+)?(?:please\s+)?(?:stop|cancel|never ?mind|forget (?:it|that)|abort|give up|quit|end)(?:\s+(?:it|that|now|please|everything|here))*[.!]?",
    re.I,
)
_LEAVE_OUT = re.compile(
    r"(?:please\s+)?(?:skip|ignore|omit|leave|drop)(?:\s+(?:it|that|this|this one|that one|that step|the step))?(?:\s+(?:out|away))?[.!]?|(?:go|carry|move) on|continue(?: without(?: it)?)?|next",
    re.I,
)
_AGAIN = re.compile(
    r"(?:yes,?\s+)?(?:try|do it|once|wait)(?:\s+\w+)?\s*(?:again|more|on|longer)?[.!]?|retry|again|yes|yes please|ok(?:ay)?|sure|go ahead",
    re.I,
)
_INSTEAD = re.compile(r"^(?:no|actually|instead|rather|stop|wait)\b[,:]?\s*|\s+instead[.!]?$", re.I)


@dataclass
class Progress:
    """`index` is the current intent, `since` the turn it began in, `step_of` which intent each turn worked,
    `worked_in` the applications that were in front so far, `memo` what a policy noted about the current one, `reached` how the last one is seen to be fulfilled."""

    goal: str
    intents: tuple[Intent, ...]
    index: int = 0
    since: int = 1
    heard: int = 0
    answers: tuple[str, ...] = ()
    answered: int = 0
    asked: Question | None = None
    asked_about: int = 0
    called_off: bool = False
    asked_form: bool = False
    step_of: dict[int, int] = field(default_factory=dict)
    deeds: dict[int, tuple[Deed, ...]] = field(default_factory=dict)
    windows_at: dict[int, tuple[str, ...]] = field(default_factory=dict)
    findings: tuple[str, ...] = ()
    last_note: str = ""
    reached: str = ""
    result: str = ""
    usable_before: frozenset[Usable] = frozenset()
    worked_in: frozenset[str] = frozenset()
    memo: dict[str, str] = field(default_factory=dict)
    memo_before: dict[str, str] = field(default_factory=dict)

    @classmethod
    def begin(cls, conversation: Conversation) -> Progress:
        """From the conversation alone: in the middle of a run, the plan's step says how far it is."""
        progress = cls(conversation.goal, parse(conversation.goal))
        progress.since = 1
        if conversation.turn > 1 and len(progress.intents) == len(conversation.plan) <= MAX_SHOWN:
            progress.index = max(0, min(conversation.step, len(progress.intents) - 1))
        return progress

    def belongs(self, conversation: Conversation) -> bool:
        """Is this the run that the conversation is about, and no earlier turn of it?"""
        last = max(self.step_of, default=0)
        return (
            self.goal == conversation.goal
            and last < conversation.turn
            and self.heard <= len(conversation.said)
        )

    @property
    def current(self) -> Intent | None:
        return self.intents[self.index] if self.index < len(self.intents) else None

    def advance(self, turn: int) -> None:
        """The current intent is fulfilled: on to the next."""
        self.index += 1
        self._start(turn)

    def begin_again(self, turn: int) -> None:
        """The current intent is done from its beginning."""
        self._start(turn)
        self._relabel()

    def put_instead(self, new: tuple[Intent, ...], turn: int) -> None:
        """The current intent turned out to be several others."""
        self.intents = (*self.intents[: self.index], *new, *self.intents[self.index + 1 :])
        self._start(turn)
        self._relabel()

    def put_instead_of_all(self, new: tuple[Intent, ...], turn: int) -> None:
        """Nothing was begun, and all of it means these."""
        self.intents, self.index = new, 0
        self._start(turn)

    def replace(self, index: int, new: Intent) -> None:
        """What an intent that was not begun turned out to mean."""
        self.intents = (*self.intents[:index], new, *self.intents[index + 1 :])

    def _start(self, turn: int) -> None:
        self.since, self.answers, self.answered, self.asked = turn, (), 0, None
        self.memo, self.memo_before = {}, {}

    def recover(self, turn: int) -> None:
        """What came to nothing in the turn before is not remembered as done."""
        deeds = self.deeds.get(turn - 1, ())
        lost = any(d.outcome in ("refused", "failed") for d in deeds) and not any(
            d.outcome == "done" for d in deeds
        )
        if lost and self.step_of.get(turn - 1) == self.index:
            self.memo = dict(self.memo_before)
        self.memo_before = dict(self.memo)

    def refused_aside(self, turn: int) -> bool:
        """Was something refused in the turn before that was done for no intent?"""
        deeds = self.deeds.get(turn - 1, ()) if self.step_of.get(turn - 1) == ASIDE else ()
        return any(each.outcome == "refused" for each in deeds)

    def deeds_of_current(self) -> tuple[Deed, ...]:
        """The deeds that were done for the current intent."""
        known = [d for turn in sorted(self.deeds) for d in self.deeds[turn]]
        return tuple(
            d for d in known if d.turn >= self.since and self.step_of.get(d.turn, self.index) == self.index
        )

    def remember(self, deeds: tuple[Deed, ...]) -> None:
        """Keep what the conversation still tells: its history is short."""
        for turn in {d.turn for d in deeds}:
            told = tuple(d for d in deeds if d.turn == turn)
            if len(told) >= len(self.deeds.get(turn, ())):
                self.deeds[turn] = told

    # ---- the user's words --------------------------------------------------------------------

    def listen(self, conversation: Conversation) -> None:
        """Take in what the user said since: answers to a question, or new instructions."""
        for turn, text in conversation.said[self.heard :]:
            self.heard += 1
            if self.asked is not None:
                self._answer(text.strip(), turn)
            else:
                self._told(text.strip(), turn)

    def _answer(self, text: str, turn: int) -> None:
        asked, self.asked = self.asked, None
        self.index = (
            max(self.index, min(self.asked_about, len(self.intents)))
            if self.index > self.asked_about
            else self.index
        )
        if asked is not None and _picks(text, asked):
            reading = _reading_picked(text, self._subject, asked)
            if reading is None:
                self._keep(text, turn)
            else:
                self._replace(reading, turn)
        elif _CALLED_OFF.fullmatch(text):
            self.called_off = True
        elif _LEAVE_OUT.fullmatch(text):
            self._replace((), turn)
        elif _AGAIN.fullmatch(text):
            self._again(text, turn)
        else:
            self._new_words(text, turn)

    def _new_words(self, text: str, turn: int) -> None:
        if isinstance(self._subject, FillForm):
            self._keep(text, turn)
            return
        new = parse(_INSTEAD.sub("", text))
        if new and not any(isinstance(each, Unknown) for each in new):
            self._replace(new, turn)
        elif isinstance(self._subject, Unknown):
            self._replace(new or (Unknown(text),), turn)
        else:
            self._keep(text, turn)

    @property
    def _subject(self) -> Intent | None:
        return self.intents[self.asked_about] if self.asked_about < len(self.intents) else None

    def _keep(self, text: str, turn: int) -> None:
        self.answers, self.answered = (*self.answers, text), turn

    def _again(self, text: str, turn: int) -> None:
        """Try once more from the beginning, knowing of the yes."""
        if isinstance(self._subject, Unknown):
            return
        self.answers, self.answered = (*self.answers, text), turn
        if not re.match(r"(?:yes|ok|sure|go)", text, re.I):
            self.since = turn + 1

    def _replace(self, new: tuple[Intent, ...], turn: int) -> None:
        """The intent that was asked about gives way to new ones (or to none)."""
        at = self.asked_about
        self.intents = (*self.intents[:at], *new, *self.intents[at + 1 :])
        if at == self.index:
            self._start(turn + 1)
            self._relabel()

    def _relabel(self) -> None:
        """What was done for the intent that gave way is not the new one's."""
        self.step_of = {each: (ASIDE if step == self.index else step) for each, step in self.step_of.items()}

    def _told(self, text: str, turn: int) -> None:
        """Words out of the blue: further instructions, or others instead of the rest."""
        if _CALLED_OFF.fullmatch(text):
            self.called_off = True
            return
        new = parse(_INSTEAD.sub("", text))
        if _INSTEAD.search(text):
            self.intents = (*self.intents[: self.index], *new)
            self._start(turn)
            self._relabel()
        else:
            self.intents = (*self.intents, *new)


def _picks(text: str, asked: Question) -> bool:
    """Is the answer one of the choices that were offered, by its words or by its number?"""
    if not asked.choices:
        return False
    bare = text.lower().strip(" .!")
    if re.fullmatch(
        r"(?:the\s+|number\s+|no\.?\s*|#)?(?:\d{1,2}|first|second|third|fourth|fifth|sixth|last)(?:\s+one)?",
        bare,
    ):
        return True
    return any(
        bare and (bare == " ".join(each.lower().split()).strip(" .!") or bare in each.lower().split())
        for each in asked.choices
    ) or bare in ("yes", "no")


def _reading_picked(text: str, subject: Intent | None, asked: Question) -> tuple[Intent, ...] | None:
    """The reading of words with several that an answer picks, by its words or its number; None for anything else."""
    if not isinstance(subject, Unknown) or len(subject.readings) != len(asked.choices):
        return None
    bare = " ".join(text.lower().split()).strip(" .!")
    number = re.fullmatch(r"(?:the\s+|number\s+|no\.?\s*|#)?(\w+)(?:\s+one)?", bare)
    at = (int(number[1]) if number[1].isdigit() else ordinal(number[1])) if number else 0
    if at == -1 or 0 < at <= len(subject.readings):
        return subject.readings[at if at == -1 else at - 1]
    choices = zip(subject.readings, asked.choices, strict=True)
    named = [reading for reading, choice in choices if bare == choice.lower().strip(" .!")]
    return named[0] if len(named) == 1 else None
