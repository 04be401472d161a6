"""Notices that something which sends is about to be pressed a second time though nothing new was seen, or a text typed twice.

A model that goes by elements presses again where it does not find what it waits for; the request goes out twice.
What the user's goal names makes no difference here: it names one booking, not two.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias

from desktop_agent.policy.facts import policy_tables
from desktop_agent.policy.facts.button_words import kind_of
from desktop_agent.policy.facts.confusables import fold
from desktop_agent.policy.facts.dry_run import Touch
from desktop_agent.policy.facts.execution_places import executes
from desktop_agent.policy.facts.key_effects import (
    activates,
    characters,
    combo,
    drops,
    pastes,
    presses_enter,
)
from desktop_agent.policy.facts.place import Place, Subject, editable, is_address_bar, subject_of
from desktop_agent.policy.facts.place_lookup import page_of
from desktop_agent.policy.facts.words.claim_words import tells_failure
from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op
from desktop_agent.vision.elements.describe import EDITED, MESSAGES, NUMBERS
from desktop_agent.vision.observation import Element, Observation

SINK = "second press"
_SENDING = frozenset(("send", "buy", "permission"))
_BUTTONS = frozenset(("push button", "link", "menu item", "toggle button", "button"))
_CHOSEN_ONCE = frozenset(("radio button", "list item", "option", "menu item", "table cell", "tree item"))
_TURNED = frozenset(("check box", "switch", "slider", "check menu item"))
_LETTERS = 4
"""A text so long is not typed twice into a field of one line; a shorter one (ha, 00) may be."""
Field: TypeAlias = tuple[Subject, str, str]
Thing: TypeAlias = tuple[str, str]


class _Spot(NamedTuple):
    """Where something is told of, whatever it says."""

    role: str
    x: int
    y: int


@dataclass(frozen=True)
class _Seen:
    """What a look told: of pages, and of the windows of each process; `handles` are all elements there were."""

    page: Counter[Thing] = field(default_factory=Counter)
    native: Mapping[int, Counter[Thing]] = field(default_factory=dict)
    handles: frozenset[str] = frozenset()
    picture: str = ""

    def around(self, place: Place) -> Counter[Thing]:
        """What was told there; where nothing is, the picture as a whole."""
        if place.in_page:
            return self.page
        return self.native.get(place.pid) or Counter({("picture", self.picture): 1})


@dataclass(frozen=True)
class _Press:
    """Something that sends was pressed, when this was seen around it."""

    subject: Subject
    name: str
    place: Place
    by_itself: bool
    """Was the thing itself pressed, and not Enter beside it?"""
    seen: Counter[Thing]

    def is_again(self, other: _Press, handles: frozenset[str]) -> bool:
        """Is the other one a press of the same thing? One that is still there beside it is another one of its name."""
        if (self.subject, fold(self.name)) != (other.subject, fold(other.name)):
            return False
        same = self.place.handle == other.place.handle or self.place.handle not in handles
        return same or not (self.by_itself and other.by_itself)


@dataclass
class SecondPress:
    """Follows what is pressed and typed in one run. Only the agent's thread touches it.

    A press is answered once a look shows something new around it that says more than that it is under way, or once
    something was put in since that had not been put in there before.
    """

    _seen: _Seen = field(default_factory=_Seen)
    _places: dict[_Spot, str] = field(default_factory=dict)
    _restless: set[_Spot] = field(default_factory=set)
    """What says one thing and another by itself: it answers nothing."""
    _given: dict[Field, frozenset[str]] = field(default_factory=dict)
    _typed: dict[Field, str] = field(default_factory=dict)
    """What was typed since the last look, of which no element can tell yet."""
    _presses: tuple[_Press, ...] = ()
    _replaces: bool = False
    """Would a text replace what the field holds, as after Ctrl+A?"""

    def trial(self) -> SecondPress:
        """One that goes on from here without changing this one."""
        return replace(self, _given=dict(self._given), _typed=dict(self._typed))

    def hear(self, texts: Iterable[str]) -> None:
        """The user has said this: whoever says "again" has answered the question."""
        again = policy_tables.buttons().once_more
        if any(f" {each} " in f" {_plain(text)} " for text in texts for each in again):
            self._presses = ()

    # ---- judging -----------------------------------------------------------------------------

    def question(self, touch: Touch) -> str:
        """Why doing this needs a yes; "" when it does not."""
        op, place = touch.op, touch.place
        if place.simulated or not place.known:
            return ""
        if self._stands_there(op, place):
            return f"“{place.name or place.role}” holds this text already: it would stand there twice."
        press = self._press(op, place)
        if press is None:
            return ""
        twice = press.by_itself and getattr(op, "count", 1) > 1
        known = not self._puts_in_new(op, place)
        if twice or (known and any(each.is_again(press, self._seen.handles) for each in self._presses)):
            return f"“{press.name}” was pressed already, and nothing new was seen since: what it sends may go out twice."
        return ""

    def _stands_there(self, op: Op, place: Place) -> bool:
        """Is a text put into a field of one line that holds it, and not in its place?"""
        text = characters(op).strip() if isinstance(op, ops.Type) else ""
        one_line = (
            editable(place) and "multiline" not in place.states and not place.role.startswith("document")
        )
        if len(text) < _LETTERS or not one_line or self._replaces or executes(place) or is_address_bar(place):
            return False
        return _bare(text) in (_bare(place.value), _bare(self._typed.get(_field(place), "")))

    def _press(self, op: Op, place: Place) -> _Press | None:
        """The press of something that sends that this operation is; None when it is none."""
        clicks = isinstance(op, ops.Click | ops.ClickElement) and op.button == "left"
        on_it = place.role in _BUTTONS and (clicks or activates(op))
        name = ""
        if on_it:
            name = next((each for each in (place.name, *place.words) if self._sends(each, place)), "")
        elif presses_enter(op) and self._in_form(place):
            named = [each for each in place.buttons if kind_of(each) in _SENDING]
            others = [each for each in place.buttons if self._sends(each, place)]
            name = next(iter(named or (others if len(others) == 1 else ())), "")
        if not name:
            return None
        return _Press(subject_of(place), name, place, on_it, self._seen.around(place))

    def _sends(self, name: str, place: Place) -> bool:
        """By its name, or because the page was filled in before, unless its name says that it is pressed again and again."""
        if kind_of(name) in _SENDING:
            return True
        words = _plain(name)
        filled = any(each[0] == subject_of(place) for each in self._given)
        return place.in_page and filled and place.role != "link" and not _repeatable(words)

    def _in_form(self, place: Place) -> bool:
        one_line = editable(place) and "multiline" not in place.states
        return one_line and not is_address_bar(place) and not executes(place)

    # ---- following ---------------------------------------------------------------------------

    def note(self, touch: Touch) -> None:
        """This was done."""
        op, place = touch.op, touch.place
        self._note_selection(op)
        self._note_input(op, place)
        press = self._press(op, place)
        if press is not None:
            others = [each for each in self._presses if not each.is_again(press, self._seen.handles)]
            self._presses = (*others, press)

    def _note_selection(self, op: Op) -> None:
        keys = combo(op)
        selects = keys in ({"ctrl", "a"}, {"tab"}, {"shift", "tab"}) or getattr(op, "count", 1) == 3
        if selects or keys & {"delete", "backspace"} or characters(op).endswith("\t"):
            self._replaces = True
        elif op.traits.gives_focus or characters(op):
            self._replaces = False

    def _note_input(self, op: Op, place: Place) -> None:
        """What is put in that was not put in there before makes another thing of what is sent."""
        where, text = _field(place), _put_in(op, place)
        if self._puts_in_new(op, place):
            self._presses = tuple(each for each in self._presses if each.subject != where[0])
            self._given.setdefault(where, frozenset())
        if text:
            self._given[where] = self._given.get(where, frozenset()) | {text}
            self._typed[where] = text

    def _puts_in_new(self, op: Op, place: Place) -> bool:
        turns = op.traits.gives_focus and (place.role in _TURNED or drops(op))
        text = _put_in(op, place)
        return turns or pastes(op) or (bool(text) and text not in self._given.get(_field(place), frozenset()))

    def looked(self, look: Observation) -> None:
        """Take in what was read: what is new answers the presses before it."""
        now = _seen(look, self._restless)
        if not self._presses:
            self._restless |= self._changed(look)
        self._places = {_spot(each): each.name for each in look.elements if each.role in MESSAGES}
        self._presses = tuple(
            each for each in self._presses if not _answers(each.seen, now.around(each.place))
        )
        self._seen, self._typed = now, {}

    def _changed(self, look: Observation) -> set[_Spot]:
        """What says something else than at the last look, where it said something."""
        told = ((_spot(each), each.name) for each in look.elements if each.role in MESSAGES)
        return {spot for spot, name in told if self._places.get(spot, name) != name}


def _answers(before: Counter[Thing], now: Counter[Thing]) -> bool:
    """Does what came say more than that something is under way? What went must be more than a message."""
    came, went = now - before, before - now
    if any(not _is_under_way(*each) for each in came):
        return True
    return not came and any(role not in MESSAGES for role, _ in went)


def _is_under_way(role: str, name: str) -> bool:
    words = _plain(name)
    if not words or role in ("progress bar", "animation") or name.rstrip().endswith(("…", "...")):
        return True
    waits = any(f" {each} " in f" {words} " for each in policy_tables.buttons().under_way)
    return waits and not tells_failure(name)


def _seen(look: Observation, restless: set[_Spot]) -> _Seen:
    by_id = {each.id: each for each in look.elements}
    page: Counter[Thing] = Counter()
    native: dict[int, Counter[Thing]] = {}
    for each in look.elements:
        if each.source != "tree" or each.role in EDITED or each.role == "tool tip" or _spot(each) in restless:
            continue
        inside = page_of(each, by_id)
        where = native.setdefault(each.pid, Counter()) if inside is None else page
        name = NUMBERS.sub("#", each.name) if each.role in MESSAGES else each.name
        where[each.role, f"{name} {each.url}".strip()] += 1
    handles = frozenset(each.handle for each in look.elements if each.handle)
    return _Seen(page, native, handles, look.frame.digest)


def _put_in(op: Op, place: Place) -> str:
    """The text that is typed there, or the name of what is chosen; "" for neither."""
    if place.role in _CHOSEN_ONCE and op.traits.gives_focus:
        return place.name
    return "" if place.role in _BUTTONS else _bare(characters(op))


def _spot(element: Element) -> _Spot:
    return _Spot(element.role, element.bounds.x, element.bounds.y)


def _field(place: Place) -> Field:
    return subject_of(place), place.role, fold(place.name)


def _bare(text: str) -> str:
    """The text as fields show it: card and phone numbers are grouped as the page likes."""
    plain = " ".join(text.split())
    digits = re.sub(r"[\s.()/+-]", "", plain)
    return digits if len(digits) >= _LETTERS and digits.isdigit() else plain


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", fold(text)))


def _repeatable(words: str) -> bool:
    """Is it a name of what is pressed again and again: a digit, a sign, next, more, roll?"""
    letters = re.sub(r"[\W\d_]", "", words)
    known = policy_tables.buttons().repeatable
    return len(letters) < 2 or any(f"{words} ".startswith(f"{each} ") for each in known)
