"""What the human said yes to: single operations once each, and for the session what "always" covers."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from desktop_agent.agent.policy.asking.rested_on import changes
from desktop_agent.agent.policy.place import Place
from desktop_agent.agent.policy.subject import UNKNOWN, Subject, subject_of
from desktop_agent.protocol import ops
from desktop_agent.protocol.agent_events import StandingGrant
from desktop_agent.protocol.ops import Op, name_of

NOT_ASKED = "The user has not been asked about this: look again."
# What may be allowed for longer. Never what carries a text out (a terminal, a command), which a yes must show whole,
# nor a password or a secret.
_LASTING = frozenset(
    ("button", "address bar", "open", "system keys", "file deletion", "file change", "other application")
)


class Yes(NamedTuple):
    """An operation of a unit the human said yes to, by its number, and the place it rested on.

    `sink` is why it was asked about, "" when it was only shown beside what was.
    """

    number: int
    op: Op
    sink: str
    place: Place


@dataclass
class Consent:
    """The yes to the unit that is carried out next. Each operation is covered once, and only as it was shown."""

    _given: list[Yes] = field(default_factory=list)
    _taken: list[Yes] = field(default_factory=list)
    _begun: bool = False

    def give(self, yes: Iterable[Yes]) -> None:
        """Hold these, and forget the ones from before."""
        self._given, self._taken, self._begun = list(yes), [], False

    def fault(self, number: int, op: Op, sink: str, place: Place) -> str:
        """Why the operation may not be carried out at this place now; "" when a yes covers it, or it needs none.

        `sink` is why it needs one, "" when it does not. What was shown beside something that was asked about is
        compared too, until the first of it is done: afterwards what has changed may be our own doing.
        """
        shown = [yes for yes in self._left() if (yes.number, yes.op) == (number, op)]
        if not shown:
            return NOT_ASKED if sink else ""
        if not sink and (self._begun or not (op.traits.keyboard or op.traits.presses)):
            return ""
        changed = [changes(op, yes.place, place) for yes in shown]
        if all(changed):
            return f"Changed since you said yes: {changed[0]}. Look again."
        same = [yes for yes, change in zip(shown, changed, strict=True) if not change]
        fitting = next((yes for yes in same if not sink or _sinks(sink) <= _sinks(yes.sink)), None)
        if fitting is None:
            return NOT_ASKED
        self._taken.append(fitting)
        return ""

    def judged(self, *, carried_out: bool) -> None:
        """The operations asked about since the last call are carried out now, and covered no more; or they are not."""
        if carried_out:
            self._given, self._begun = self._left(), True
        self._taken = []

    def _left(self) -> list[Yes]:
        return [yes for yes in self._given if not any(yes is each for each in self._taken)]


def _sinks(joined: str) -> set[str]:
    """The single reasons: a yes to several covers fewer of them, as when the scope was widened by it."""
    return set(joined.split("+"))


class Covered(NamedTuple):
    """What an "always" is for: never by the title of a window, which whoever fills the window chooses."""

    op: str
    what: str
    why: str
    program: str
    subject: Subject

    @property
    def words(self) -> str:
        """Like `click “Send” in chromium at https://shop.example`."""
        where = f"{self.program} at {self.subject.what}" if self.subject.kind == "site" else self.program
        return f"{self.what} in {where}" if where else self.what


class StandingYes:
    """What the user allowed with "always". It ends with the program: nothing of it is ever stored.

    Any thread may list it and take back what is in it; that holds from the next judgement on, also for what was
    judged before and is about to be sent. `changed` is called, with what was taken back or None, after each change,
    by the thread that made it.
    """

    def __init__(self, changed: Callable[[StandingGrant | None], None] = lambda _: None) -> None:
        self._lock = threading.Lock()
        self._all: dict[Covered, StandingGrant] = {}
        self._changed = changed

    def add(self, covered: Iterable[Covered]) -> None:
        with self._lock:
            new = [each for each in covered if each not in self._all]
            self._all |= {each: StandingGrant(_id(each), each.words, time.time()) for each in new}
        if new:
            self._changed(None)

    def clear(self) -> None:
        """Forget all of it."""
        with self._lock:
            self._all.clear()
        self._changed(None)

    def has(self, covered: Covered | None) -> bool:
        with self._lock:
            return covered in self._all

    def listed(self) -> tuple[StandingGrant, ...]:
        """All of it, the oldest first."""
        with self._lock:
            return tuple(self._all.values())

    def revoke(self, id: str) -> bool:
        """Take one back; False when there is none of that id."""
        with self._lock:
            found = next(((each, grant) for each, grant in self._all.items() if grant.id == id), None)
            if found is not None:
                del self._all[found[0]]
        if found is not None:
            self._changed(found[1])
        return found is not None


def _id(covered: Covered) -> str:
    return hashlib.sha256(repr(covered).encode()).hexdigest()[:16]


def covered_by_always(op: Op, place: Place, sink: str, why: str) -> Covered | None:
    """What "always" would cover for an operation that is asked about; None where it must not be offered."""
    if not set(sink.split("+")) <= _LASTING:
        return None
    if op.traits.carried_out_by == "environment":
        return Covered(
            name_of(op), f"{op.traits.verbs.request.lower()} {place.name}", why, "", Subject("folder", "")
        )
    if isinstance(op, ops.Open):
        return Covered(name_of(op), f"open “{op.target}”", why, "", Subject("app", place.program))
    return _at(op, _doing(op, place), why, place)


def covered_in_steps(op: Op, place: Place) -> Covered | None:
    """What "always" would cover where each action is asked about; None where it must not be offered."""
    if op.traits.carried_out_by != "hand" or op.traits.opens:
        return None
    anything = " anything" if op.traits.pointer else " any text" if isinstance(op, ops.Type) else " any keys"
    return _at(op, op.traits.verbs.request.lower() + anything, "step", place)


def _at(op: Op, what: str, why: str, place: Place) -> Covered | None:
    subject = subject_of(place)
    if not place.known or not place.program or UNKNOWN in (subject.what, what):
        return None
    return Covered(name_of(op), what, why, place.program, subject)


def _doing(op: Op, place: Place) -> str:
    """What is done, in words; UNKNOWN for a place without a name, which any other could be."""
    thing = f"“{place.name}”" if place.name else f"“{' '.join(place.words)}”" if place.words else ""
    verb = op.traits.verbs.request.lower()
    if isinstance(op, ops.KeyCombo | ops.KeyDown):
        keys = op.keys if isinstance(op, ops.KeyCombo) else (op.key,)
        return f"{verb} {'+'.join(key.capitalize() for key in keys)}" + (f" in {thing}" if thing else "")
    if isinstance(op, ops.Type):
        return f"{verb} any text into {thing}" if thing else UNKNOWN
    return f"{verb} {thing}" if thing else UNKNOWN
