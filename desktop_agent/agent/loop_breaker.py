"""Notices that a run goes in circles, and escalates: tells the model, demands another way, asks the user.

A turn is stale when the model does in a state of the screen what it did in that state before, when a scroll brings no
new words, or when it waits and nothing comes. What changes by itself is no part of a state: `looking.screen_state`
leaves out digits in labels, and parts of the picture that change whatever is done count for nothing here.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from desktop_agent.agent.looking.screen_state import ScreenState, screen_state
from desktop_agent.agent.progress_counts import Progress, ProgressCounts
from desktop_agent.policy.facts.op_points import start_point
from desktop_agent.policy.facts.words.claim_words import numbers_in, tells_failure
from desktop_agent.protocol import ops
from desktop_agent.protocol.agent_events import Effect
from desktop_agent.protocol.ops import Op
from desktop_agent.vision.elements.describe import MESSAGES, NUMBERS
from desktop_agent.vision.observation import Element, Observation

if TYPE_CHECKING:
    from desktop_agent.agent.looking.screen_state import Mask

Escalation: TypeAlias = Literal["", "tell", "other way", "ask"]
LEVELS: tuple[Escalation, ...] = ("", "tell", "other way", "ask")
_DEMANDED = LEVELS.index("other way")

_Kind: TypeAlias = Literal["types", "waits", "presses", "other"]
_TOLD = 4
"""So many things that are no messages tell enough of a window (its title is one)."""
_TURNS = 40
_RESTLESS_PARTS = 6
"""Parts that change at almost every look belong to no state while they are no more than so many."""
_RESTLESS_LOOKS = 4
_FRESH_TRIES = 3
"""So many new tries without any effect count as one turn in circles."""
_PATIENCE = {1: 4.0, 2: 12.0}
"""Seconds that the first and the second wait in vain last at least: a busy program may need many short waits."""
_SILENT = 3
_LETTERS = 8
"""A text so long is not typed again and again; a shorter one (y, next) may be."""
_APPROACHES = 25
"""A number may come nearer to one of the goal so often in a row."""
_UNMEASURED, _COUNTED, _TURNED_BACK = 30, 36, 5
"""What is known is done so often in a row while nothing counts on, while something does without an end in sight, and
once a count has turned back."""
_NEWS_WAITED = 7
"""So many waits in a row may bring other words while nothing counts on, or anything once a count has turned back."""
_KNOWN_TEXTS, _KNOWN_LETTERS = 2, 12
"""So many texts of so many letters in all, each typed before, are a round that begins again."""
_NEARESTS, _LONGEST_COUNT = 5_000, 200
"""So many numbers are remembered, and longer texts are no counts."""
_SPOT = 24
"""Pixels: clicks on nothing that has a name are the same when they are this near."""


@dataclass(frozen=True)
class LoopVerdict:
    """What to do about a turn: nothing (""), tell the model `words`, refuse its actions with them, or ask the user them.

    `patience`: its waiting is to last so many seconds, unless something comes before.
    """

    level: Escalation = ""
    words: str = ""
    patience: float = 0.0


@dataclass(frozen=True)
class _Turn:
    seen: ScreenState
    action: bytes
    passive: bool
    kind: _Kind
    letters: int
    """Of the texts it types."""
    failed: bool
    """Does the screen say that something came to nothing?"""
    advanced: bool
    """Has a count come nearer to its end at this look?"""


@dataclass
class LoopBreaker:
    """Follows one run; `goal` is what the user said, `paced` tells that the model bounds its own waiting.

    Only the agent's thread touches it.
    """

    goal: str = ""
    paced: bool = False
    _turns: deque[_Turn] = field(default_factory=lambda: deque(maxlen=_TURNS))
    _words: set[str] = field(default_factory=set)
    _nearest: dict[tuple[object, ...], float] = field(default_factory=dict)
    _approaches: int = 0
    _level: int = 0
    _tries: int = 0
    _silent: int = 0
    _waits: int = 0
    _repeats: int = 0
    _known: Counter[Progress] = field(default_factory=Counter)
    _known_texts: list[int] = field(default_factory=list)
    _news_waited: int = 0
    _progress: ProgressCounts = field(default_factory=ProgressCounts)

    def judge(self, actions: Sequence[Op], look: Observation) -> LoopVerdict:
        """What to do about these actions, planned at this look."""
        if not actions:
            self._silent += 1
            return LoopVerdict("ask", _NOTHING) if self._silent >= _SILENT else LoopVerdict()
        if any(
            isinstance(op, ops.Done | ops.Fail | ops.Ask | ops.Stop | ops.Pause | ops.WaitForNews)
            for op in actions[:1]
        ):
            return LoopVerdict()
        self._silent = 0
        passive = all(op.traits.passive for op in actions)
        goes_on = self._progress.seen(look)
        turn = _Turn(
            screen_state(look), _normalized(actions, look), passive, _kind_of(actions, look),
            sum(len(op.text) for op in actions if isinstance(op, ops.Type)), _tells_failure(look), goes_on == "ends",
        )  # fmt: skip
        new_words, nearer = self._new_words(look), self._nearer(look)
        if passive:
            worn = new_words or self._progress.turned_back
            self._news_waited = 0 if turn.advanced else self._news_waited + worn
            verdict = self._judged_waiting(turn, actions, news=new_words)
        else:
            self._waits = self._news_waited = 0
            self._count_known(turn, "ends" if nearer else goes_on, news=new_words)
            verdict = self._escalated(turn, self._why(turn, actions, news=new_words, nearer=nearer))
        self._turns.append(turn)
        return verdict

    def shows_more(self, look: Observation) -> bool:
        """Does this look show something else than the one that was judged last? So it does where none was."""
        if not self._turns:
            return True
        last = self._turns[-1]
        now = replace(last, seen=screen_state(look))
        return bool(_words_of(look) - self._words) or not self._same(now, last)

    def noted(self, effects: Iterable[Effect]) -> None:
        """Take in the effects of what was carried out in a turn: new tries that come to nothing count, too."""
        found = list(effects)
        self._tries = self._tries + 1 if found and all(each == "unchanged" for each in found) else 0

    def forgive(self, words: str = "") -> None:
        """The user said something: whatever was tried may be tried again."""
        self.goal = f"{self.goal}\n{words}".strip()
        self._turns.clear()
        self._known.clear()
        self._known_texts.clear()
        self._news_waited = 0
        self._progress = ProgressCounts()
        self._words.clear()
        self._nearest.clear()
        self._approaches = 0
        self._level = self._tries = self._silent = self._waits = self._repeats = 0

    # ---- is it stale? ------------------------------------------------------------------------

    def _why(self, turn: _Turn, actions: Sequence[Op], *, news: bool, nearer: bool) -> str:
        """Why the turn goes in circles, in words for the model; "" when it does not."""
        if nearer:
            self._level = 0
            return ""
        if all(isinstance(op, ops.Scroll | ops.ScrollElement) for op in actions):
            scrolled = bool(self._turns) and self._turns[-1].action == turn.action
            return _NO_NEWS if scrolled and not news else ""
        before = [each for each in self._turns if each.action == turn.action]
        again = [each for each in before if self._same(turn, each)]
        if again and not self._advanced_since(again[-1], turn):
            # Back where it was after other states in between: two steps that alternate are one repetition.
            round_about = again[-1] is not self._turns[-1] and not self._entered_since(again[-1])
            self._level += round_about and not self._level
            return _AGAIN
        if before and self._level >= _DEMANDED and self._was_here(turn):
            return _AGAIN  # what was done before is no other way
        if before and turn.failed and before[-1].failed and not self._entered_since(before[-1]):
            return self._repeated(_FAILED_AGAIN)
        if before and turn.letters >= _LETTERS and not self._tried_since(before[-1]):
            return self._repeated(_SAID_AGAIN)
        if len(self._known_texts) >= _KNOWN_TEXTS and sum(self._known_texts) >= _KNOWN_LETTERS:
            return self._repeated(_SAID_AGAIN) if turn.kind == "types" else ""
        unsure = self._progress.turned_back and self._known.total() >= _TURNED_BACK
        if unsure or self._known[""] >= _UNMEASURED or self._known["counts"] >= _COUNTED:
            return self._repeated(_NO_END)
        return _NO_EFFECT if self._tries >= _FRESH_TRIES else ""

    def _count_known(self, turn: _Turn, goes_on: Progress, *, news: bool) -> None:
        """Count the turns in a row that do only what was done before, by what goes on meanwhile."""
        if all(each.action != turn.action for each in self._turns):
            self._known.clear()
            self._known_texts.clear()
            self._repeats = 0 if turn.kind == "types" else self._repeats
            return
        if turn.kind == "types":
            self._known_texts.append(turn.letters)
        if goes_on == "ends":
            self._known.clear()
        else:
            self._known[goes_on or ("counts" if turn.kind == "other" and news else "")] += 1

    def _advanced_since(self, last: _Turn, turn: _Turn) -> bool:
        """Has a count come nearer to its end since? Then what looks the same is about another thing."""
        return any(each.advanced for each in (*self._turns_since(last), turn))

    def _entered_since(self, last: _Turn) -> bool:
        """Has a text been typed since this turn that was not typed before it? One record after the other is entered so."""
        return any(each.kind == "types" for each in self._new_since(last))

    def _tried_since(self, last: _Turn) -> bool:
        """Has anything been done since this turn that was not done before it? One row after the other is filled in so."""
        return any(not each.passive for each in self._new_since(last))

    def _new_since(self, last: _Turn) -> list[_Turn]:
        later = self._turns_since(last)
        before = {each.action for each in list(self._turns)[: -len(later) - 1]}
        return [each for each in later if each.action not in before]

    def _turns_since(self, last: _Turn) -> list[_Turn]:
        turns = list(self._turns)
        at = max(number for number, each in enumerate(turns) if each is last)
        return turns[at + 1 :]

    def _repeated(self, why: str) -> str:
        """Count what goes in circles though the screen shows something new each time: that takes nothing back."""
        self._repeats += 1
        self._level = max(self._level, self._repeats - 1)
        return why

    def _was_here(self, turn: _Turn) -> bool:
        return any(self._same(turn, each) for each in self._turns)

    def _same(self, one: _Turn, other: _Turn) -> bool:
        """Did the screen show the same at both, but for what changes by itself?

        The same text typed once more, and one more wait, is a new try whatever a message says now; after a press on something of a tree
        that tells enough, small parts of the picture count for nothing.
        """
        mine, yours = one.seen, other.seen
        told = len(mine.things) >= _TOLD
        if one.kind in ("types", "waits") and told:
            return mine.things == yours.things
        if one.kind == "presses" and told:
            return mine.unfocused == yours.unfocused and mine.looks_like(yours)
        changed = mine.changed_since(yours) if mine.shown == yours.shown else None
        if changed is None:
            return False
        return not changed.any() or not (changed & ~self._restless(one)).any()

    def _restless(self, turn: _Turn) -> Mask:
        """The parts that have changed at almost every look of late; none when they are much of the picture."""
        import numpy as np

        looks = [*(each.seen.tiles for each in self._turns), turn.seen.tiles][-_RESTLESS_LOOKS - 1 :]
        none = np.zeros(turn.seen.tiles.shape, dtype=bool)
        if len(looks) < _RESTLESS_LOOKS or any(each.shape != none.shape for each in looks):
            return none
        changes = np.sum([a != b for a, b in itertools.pairwise(looks)], axis=0)
        often: Mask = changes >= max(_RESTLESS_LOOKS - 1, len(looks) - 2)
        return often if often.sum() <= _RESTLESS_PARTS else none

    def _new_words(self, look: Observation) -> bool:
        """Does the look show a word that no look of this run has shown?"""
        words = _words_of(look)
        new = words - self._words
        self._words |= words
        return bool(new)

    def _nearer(self, look: Observation) -> bool:
        """Has a number in something shown come nearer to one that the goal names than it ever was? Not without end."""
        wanted = numbers_in(self.goal)
        nearer = False
        if len(self._nearest) > _NEARESTS:
            self._nearest.clear()
        for each in look.elements if wanted else ():
            text = f"{each.name} {each.value}"
            if len(text) > _LONGEST_COUNT:
                continue
            kind = hash((each.role, NUMBERS.sub("#", text), each.trail))
            for (place, found), goal in itertools.product(enumerate(NUMBERS.findall(text)), wanted):
                key = (kind, place, goal)
                far, nearest = abs(_value(found) - goal), self._nearest.get(key)
                nearer |= nearest is not None and far < nearest
                self._nearest[key] = far if nearest is None else min(far, nearest)
        self._approaches = self._approaches + 1 if nearer else 0
        return nearer and self._approaches <= _APPROACHES

    # ---- what is done about it ---------------------------------------------------------------

    def _escalated(self, turn: _Turn, why: str) -> LoopVerdict:
        if not why:
            if not self._was_here(turn):
                self._level = 0
            return LoopVerdict()
        self._level += 1
        return self._verdict(why)

    def _judged_waiting(self, turn: _Turn, actions: Sequence[Op], *, news: bool) -> LoopVerdict:
        """A wait where nothing has come, or one more reading of the same; where another way is demanded it is none."""
        waits = any(isinstance(op, ops.Wait | ops.Look) for op in actions)
        seen = [each for each in self._turns if waits or each.action == turn.action]
        new = news or not any(self._same(turn, each) for each in seen)
        if self.paced or turn.advanced or (new and self._news_waited <= _NEWS_WAITED):
            self._waits = 0
            return LoopVerdict()
        self._waits += 1
        patience = _PATIENCE.get(self._waits, 0.0) if waits and self._level < _DEMANDED else 0.0
        level = self._waits - 1
        if self._level >= _DEMANDED and self._waits > 1:
            level = self._level + 1
        if level <= self._level:
            return LoopVerdict(patience=patience)
        self._level = level
        return self._verdict(_WAITING, patience)

    def _verdict(self, why: str, patience: float = 0.0) -> LoopVerdict:
        level = LEVELS[min(self._level, len(LEVELS) - 1)]
        if level == "ask":
            self._level = self._repeats = 0
            return LoopVerdict("ask", _ASK)
        return LoopVerdict(level, why if level == "tell" else f"{why} {_OTHER}", patience)


def _kind_of(actions: Sequence[Op], look: Observation) -> _Kind:
    if any(isinstance(op, ops.Type) for op in actions):
        return "types"
    pressing = [op for op in actions if not op.traits.passive]
    if not pressing:
        return "waits"
    named = all(op.traits.presses and _thing_at(op, look) is not None for op in pressing)
    return "presses" if pressing and named else "other"


def _normalized(actions: Sequence[Op], look: Observation) -> bytes:
    """The actions in a form in which the same ones are equal: by words, keys and what they act on, not by ids.

    A text is the same in any place that has no name; anything else only within a few pixels.
    """
    active = [_one(op, look) for op in actions if not op.traits.passive] or [_one(actions[0], look)]
    if any(isinstance(op, ops.Type) for op in actions):
        active = [[rest, place if _is_named(place) else None] for rest, place in active]
    return msgspec.json.encode(active)


def _is_named(place: object) -> bool:
    """Is it the role and name of a thing, and no spot?"""
    return isinstance(place, list) and isinstance(place[0], str)


def _thing_at(op: Op, look: Observation) -> Element | None:
    """The smallest element with a name that an operation acts on."""
    at = start_point(op, look)
    here = [each for each in look.elements if at is not None and each.name and each.bounds.contains(at)]
    return min(here, key=lambda each: each.bounds.width * each.bounds.height, default=None)


def _one(op: Op, look: Observation) -> list[object]:
    thing, at = _thing_at(op, look), start_point(op, look)
    place = [thing.role, NUMBERS.sub("#", thing.name)] if thing else at and [at.x // _SPOT, at.y // _SPOT]
    rest = msgspec.to_builtins(op)
    return [{key: rest[key] for key in rest if key not in ("x", "y", "element")}, place]


def _tells_failure(look: Observation) -> bool:
    mine = [each for each in look.elements if each.window == look.window] or look.elements
    return any(tells_failure(f"{each.name} {each.value}") for each in mine if each.role in MESSAGES)


def _words_of(look: Observation) -> set[str]:
    text = "\n".join(f"{each.name} {each.value}" for each in look.elements)
    return set(re.findall(r"[^\W\d_]{2,}", text.casefold()))


def _value(number: str) -> float:
    try:
        return float(number.replace(",", "").replace(":", ""))
    except ValueError:
        return 0.0


_AGAIN = "You did this before while the screen showed the same, and it led back here."
_NO_NEWS = "Scrolling brings nothing new any more."
_FAILED_AGAIN = "You did this before, and it fails again."
_SAID_AGAIN = "You typed this before, and nothing else since."
_NO_END = "You have done this many times now, and no end is in sight."
_NO_EFFECT = "Your last tries had no effect at all."
_WAITING = "You have been waiting and nothing comes."
_OTHER = "It was not done again. Do something else, or use ask or fail."
_ASK = "I go in circles here: what I try leads to nothing new. How shall I go on?"
_NOTHING = "I do not know what to do next. Can you tell me more?"
