"""The human's approvals (of single operations once each, of "always" for the session), and the changes since a yes that make it void."""

from __future__ import annotations

import hashlib
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from desktop_agent.policy.facts.key_effects import presses_enter
from desktop_agent.policy.facts.place import UNKNOWN, Place, Subject, is_address_bar, subject_of
from desktop_agent.policy.facts.provenance import Origin
from desktop_agent.policy.rules.flow import Pair
from desktop_agent.policy.rules.judge import Verdict
from desktop_agent.policy.rules.scope_check import SINK, question
from desktop_agent.protocol import ops
from desktop_agent.protocol.agent_events import StandingGrant
from desktop_agent.protocol.ops import Op, name_of

NOT_ASKED = "The user has not been asked about this: look again."
# What may be allowed for longer. Never what carries a text out (a terminal, a command), which a yes must show whole,
# nor a password or a secret.
_LASTING = frozenset(("button", "address bar", "open", "system keys", "file deletion", "file change"))


# What a title says beside the name of what the window shows: unread messages, unsaved changes.
_COUNTERS = re.compile(r"\A[(\[]\d+[+)\]]*\s*|[*●•]+\s*|\s*[*●•]+\Z")
_STATES = frozenset(("checked", "pressed", "password", "indeterminate"))
_LAST_LINES = 6
"""Lines at the end of a terminal's text that are compared: the prompt, and the question above it."""
_SCHEME = re.compile(r"\A[a-z][a-z0-9+.-]*://|/\Z")
_LONG = 200


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


def changes(op: Op, then: Place, now: Place) -> str:
    """What is not as it was for `op`, in words: `the page is now “https://b.example”, it was “…”`; "" for nothing.

    Compared are the process and program, the origin, the element (its role, name, value and state, where a link leads), what the
    dialog or the prompt asks, the label at a point, and for Enter the buttons it may press; the window's title
    too, but for a page, which changes it at will and is told by its origin.
    """
    return "; ".join(_changes(op, then, now))


def _changes(op: Op, then: Place, now: Place) -> Iterator[str]:
    before, after = (then.program or then.application, now.program or now.application)
    if (then.known, then.pid, before) != (now.known, now.pid, after):
        yield (
            _now("the program", after, before) if before != after else "it is another window of that program"
        )
        return
    if (then.origin, then.in_page) != (now.origin, now.in_page):
        yield _now("the page", now.origin, then.origin)
    if not then.origin and _title(then) != _title(now):
        yield _now("the window", now.window, then.window)
    if (then.role, then.name) != (now.role, now.name):
        yield _now("what it would reach", _element(now), _element(then))
    elif then.states & _STATES != now.states & _STATES:
        yield _now(
            "its state", " ".join(sorted(now.states & _STATES)), " ".join(sorted(then.states & _STATES))
        )
    if then.leads_to != now.leads_to:
        yield _now("where the link leads", now.leads_to, then.leads_to)
    if _path(then) != _path(now):
        yield _now("the file", _path(now), _path(then))
    if _value(then) != _value(now):
        yield _now("what stands there", _end(_value(now)), _end(_value(then)))
    yield from _texts_around(op, then, now)


def _texts_around(op: Op, then: Place, now: Place) -> Iterator[str]:
    if then.dialog[1:] != now.dialog[1:]:  # its title comes first, and was compared
        yield _now("the text around it", *_differing(now.dialog, then.dialog))
    elif set(then.nearby) != set(now.nearby):
        yield _now("the text beside it", *_differing(now.nearby, then.nearby))
    if op.traits.pointer and then.words != now.words:
        yield _now("the label", *_differing(now.words, then.words))
    if presses_enter(op) and set(then.buttons) != set(now.buttons):
        yield _now("the buttons beside it", *_differing(now.buttons, then.buttons))


def _now(what: str, now: str, then: str) -> str:
    return f"{what} is now {_quoted(now)}, it was {_quoted(then)}"


def _quoted(text: str) -> str:
    flat = " ".join(text.split())
    return f"“{flat[:_LONG]}{'…' if len(flat) > _LONG else ''}”" if flat else "empty"


def _differing(now: tuple[str, ...], then: tuple[str, ...]) -> tuple[str, str]:
    """The entries that only one of both has; all of them when only their order differs."""
    new = [each for each in now if each not in then]
    gone = [each for each in then if each not in now]
    return (" ".join(new), " ".join(gone)) if new or gone else (" ".join(now), " ".join(then))


def _path(place: Place) -> str:
    return f"{place.file.action} {place.file.path}" if place.file is not None else ""


def _element(place: Place) -> str:
    return f"{place.role} {place.name}".strip()


def _title(place: Place) -> str:
    return _COUNTERS.sub("", place.window)


def _value(place: Place) -> str:
    """What the element holds: of a terminal its last lines, of an address bar what it shows with and without focus."""
    if place.role == "terminal":
        return "\n".join([line for line in place.value.splitlines() if line.strip()][-_LAST_LINES:])
    return _SCHEME.sub("", place.value) if is_address_bar(place) else place.value


def _end(text: str) -> str:
    return text if len(text) <= _LONG else f"…{text[-_LONG:]}"


@dataclass(frozen=True)
class Ruling:
    """A verdict on an operation, with the place it acts on and the origin of its text.

    `op` is the operation as it is meant, held keys included; `pairs` are the ways of a text that a yes opens for
    the rest of the run. `parts` are all rulings of one operation, where this is the strictest of them.
    `standing`: it was allowed because of an earlier "always".
    """

    verdict: Verdict
    place: Place
    origin: Origin
    op: Op
    pairs: frozenset[Pair] = frozenset()
    parts: tuple[Ruling, ...] = ()
    standing: bool = False

    @property
    def asks(self) -> bool:
        return self.verdict.kind == "ask"

    @property
    def covered(self) -> Covered | None:
        """What "always" would cover; None for a text that was read, and for what must not last."""
        if not self.place.known or self.origin.source == "seen":
            return None
        sinks, why, adds = self.verdict.sink.split("+"), self.verdict.reason, self.verdict.adds
        if adds is not None:  # the scope keeps that part of the yes
            sinks.remove(SINK)
            why = why.removeprefix(question(adds, self.place)).strip()
        return covered_by_always(self.op, self.place, "+".join(sinks), why)

    @property
    def lasting(self) -> bool:
        """May a yes to this be remembered until the program ends?"""
        return self.covered is not None
