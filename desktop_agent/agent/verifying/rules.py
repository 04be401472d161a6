"""Rules of verification, one for each kind of operation: what the elements before and after it prove."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from desktop_agent.agent.looking.look_diff import find_again, news
from desktop_agent.llm.base import MISSED
from desktop_agent.policy.facts.batching import moves_focus
from desktop_agent.policy.facts.op_points import start_point
from desktop_agent.protocol import ops
from desktop_agent.protocol.agent_events import Effect, EvidenceKind
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.ops import Op
from desktop_agent.redaction.redactor import redactor
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.elements.describe import one_line
from desktop_agent.vision.elements.roles import EDITED, MESSAGES
from desktop_agent.vision.encoding.encode import crop
from desktop_agent.vision.observation import Element, Observation
from desktop_agent.vision.ocr.misread import reads_as
from desktop_agent.vision.settling.result import Settled
from desktop_agent.vision.settling.scroll_offset import scroll_offset

_SHOWN = 80
_MOVED = "what is in it has moved"
_FRINGE = 12
"""Pixels around a thing that may be drawn with it: a shadow, a ring around what has the keyboard."""
STATES = {
    "checked": ("checked", "not checked"),
    "selected": ("selected", "not selected"),
    "expanded": ("open", "closed"),
    "pressed": ("pressed", "not pressed"),
}
_OPENERS = frozenset((
    "push button", "button", "link", "menu", "menu item", "icon", "list item", "tree item", "table cell",
    "page tab", "combo box", "toggle button", "check menu item", "radio menu item", "image",
))  # fmt: skip


@dataclass(frozen=True)
class EffectVerdict:
    """The effect of an operation, and in words why that is so.

    `late`: the picture shows something that the tree does not tell yet, as browsers do for half a second.
    """

    effect: Effect
    detail: str = ""
    late: bool = False


@dataclass(frozen=True)
class BeforeAfter:
    """The look before the operations, the one after them (it took `seconds`), and how the screen settled between."""

    before: Observation
    after: Observation | None
    settled: Settled | None
    seconds: float = 0.0

    def element(self, id: str | None) -> Element | None:
        """An element of the look before."""
        return next((each for each in self.before.elements if each.id == id), None)

    def now(self, element: Element) -> Element | None:
        """The same one in the look after."""
        return find_again(element, self.after.elements) if self.after else None


def proof(op: Op, seen: BeforeAfter) -> EffectVerdict | None:
    """The verdict of the operation's rule; None when there is no rule or it finds nothing."""
    if seen.after is None:
        return None
    rule = _RULES.get(type(op))
    return rule(op, seen) if rule else None


def _click(op: Op, seen: BeforeAfter) -> EffectVerdict | None:
    element = _clicked(op, seen)
    if element is None:
        return None
    now = seen.now(element)
    if now is not None and (words := _turned(element, now)):
        return EffectVerdict("confirmed", words)
    if now is not None and _missed(op, now, seen):
        return EffectVerdict("unchanged", MISSED)
    return _opened(element, seen)


def _missed(op: Op, now: Element, seen: BeforeAfter) -> bool:
    """Is the thing not where it was clicked, though nothing was drawn since? Then it was not there before either."""
    at = start_point(op, seen.before)
    return (
        seen.settled is not None
        and not seen.settled.changed
        and at is not None
        and not now.bounds.contains(at)
    )


def _clicked(op: Op, seen: BeforeAfter) -> Element | None:
    """The element that is named, or the smallest one at the point."""
    if isinstance(op, ops.ClickElement):
        return seen.element(op.element)
    at = start_point(op, seen.before)
    here = [each for each in seen.before.elements if at is not None and each.bounds.contains(at)]
    return min(here, key=lambda each: each.bounds.width * each.bounds.height, default=None)


def _turned(was: Element, now: Element) -> str:
    """The state that is another one now, in words."""
    for state, (on, off) in STATES.items():
        if (state in was.states) != (state in now.states):
            return f"it is {on if state in now.states else off} now"
    if now.value != was.value and "password" not in now.states:
        return f"it shows {_quoted(now.value)} now"
    if "focused" in now.states and "focused" not in was.states and was.role in EDITED:
        return "it has the keyboard now"
    return ""


def _opened(element: Element, seen: BeforeAfter) -> EffectVerdict | None:
    """A window, a menu or a page that came of a click on something that opens things."""
    if element.role not in _OPENERS or seen.after is None:
        return None
    if seen.after.windows != seen.before.windows or _came(seen):
        return EffectVerdict("confirmed", news(seen.before, seen.after))
    return EffectVerdict("unknown", late=True) if _drawn_beyond(element, seen) else None


def _drawn_beyond(element: Element, seen: BeforeAfter) -> bool:
    """Did something show around what was clicked of which the tree tells nothing at all yet, like a menu?"""
    if seen.settled is None or seen.after is None:
        return False
    own = element.bounds.grown(_FRINGE, _FRINGE)
    beyond = [area for area in seen.settled.areas if area.intersection(own) != area]
    return bool(beyond) and all(_alike(area, seen.before, seen.after) for area in beyond)


def _alike(area: Rect, before: Observation, after: Observation) -> bool:
    """Are the things in an area told to be as they were?"""
    was, now = (
        {each for each in look.elements if not each.bounds.intersection(area).empty}
        for look in (before, after)
    )
    return was == now


def _came(seen: BeforeAfter) -> bool:
    """Are there other things to see in the tree? A message is none: it proves nothing but itself."""
    after = seen.after.elements if seen.after else ()
    now, was = ({(e.role, e.name) for e in each} for each in (after, seen.before.elements))
    return any(role not in MESSAGES for role, _ in now ^ was)


def _hover(op: Op, seen: BeforeAfter) -> EffectVerdict | None:
    element = seen.element(getattr(op, "element", None))
    scene = seen.after.scene if seen.after else None
    if element is None or scene is None:
        return None
    if not element.bounds.contains(scene.pointer):
        return EffectVerdict("unknown", "the pointer is somewhere else now")
    return EffectVerdict("confirmed", "the pointer is on it")


def _focus(op: Op, seen: BeforeAfter) -> EffectVerdict | None:
    element = seen.element(getattr(op, "element", None))
    now = seen.now(element) if element else None
    if now is None:
        return None
    if "focused" in now.states:
        return EffectVerdict("confirmed", "it has the keyboard now")
    other = _focused(seen)
    return EffectVerdict("unknown", f"the keyboard is at {_named(other)}" if other else "")


def _drag(op: Op, seen: BeforeAfter) -> EffectVerdict | None:
    element = seen.element(getattr(op, "element", None))
    if element is None or seen.after is None:
        return None
    now = seen.now(element)
    if now is None:
        return EffectVerdict("confirmed", "it is not there any more")
    if now.value != element.value:
        return EffectVerdict("confirmed", f"it shows {_quoted(now.value)} now")
    if now.bounds != element.bounds or now.trail != element.trail:
        at = now.bounds.center
        return EffectVerdict("confirmed", f"it is at {at.x},{at.y} of the screen now")
    return None


def _scroll(op: Op, seen: BeforeAfter) -> EffectVerdict | None:
    """Things in it that are elsewhere now, new ones, or none of the old."""
    element = seen.element(getattr(op, "element", None))
    if element is None or seen.after is None:
        return None
    now = seen.now(element) or element
    if now.value != element.value and "password" not in now.states:
        return EffectVerdict("confirmed", f"it shows {_quoted(now.value)} now")
    if words := _moved(element.bounds, seen, seen.after):
        return EffectVerdict("confirmed", words)
    before, after = (_picture(element.bounds, each) for each in (seen.before, seen.after))
    if before is None or after is None or before.pixels == after.pixels:
        return None
    return (
        EffectVerdict("confirmed", _MOVED)
        if any(scroll_offset(before, after))
        else EffectVerdict("unknown", late=True)
    )


def _turn_wheel(op: Op, seen: BeforeAfter) -> EffectVerdict | None:
    """The same anywhere on the screen."""
    del op
    if seen.after is None or not seen.before.elements:
        return None
    # Elsewhere something may be different for its own reasons (a clock, the title of a tab).
    areas = (seen.settled and seen.settled.areas) or (seen.before.frame.region,)
    words = next((told for area in areas if (told := _moved(area, seen, seen.after))), "")
    return EffectVerdict("confirmed", words) if words else EffectVerdict("unknown", late=True)


def _moved(area: Rect, seen: BeforeAfter, after: Observation) -> str:
    was, are = _within(area, seen.before), _within(area, after)
    if any(was[name] != are[name] for name in was.keys() & are.keys()):
        return _MOVED
    # A tree that is behind has taken out what is not in sight before it tells what has come.
    return "other things show in it" if are.keys() - was.keys() else ""


def _picture(area: Rect, look: Observation) -> Frame | None:
    area = area.intersection(look.frame.region)
    return None if area.empty else crop(look.frame, area)


def _within(area: Rect, look: Observation) -> Mapping[tuple[str, str], tuple[int, int]]:
    """Where the named things in an area are, by role and name; those that are there once."""
    places: dict[tuple[str, str], tuple[int, int]] = {}
    twice: set[tuple[str, str]] = set()
    for each in look.elements:
        if each.name and each.bounds != area and area.contains(each.bounds.center):
            key, whole = (each.role, each.name), each.whole or each.bounds
            twice |= {key} & places.keys()
            places[key] = (whole.x, whole.y)
    return {key: place for key, place in places.items() if key not in twice}


def evidence_of(element: Element) -> EvidenceKind:
    """Where it is known from what an element holds: what was read of a picture is the picture's word, not the tree's."""
    return "pixels" if element.source == "ocr" else "tree"


def _type(op: Op, seen: BeforeAfter) -> EffectVerdict | None:
    """What the box holds now: the one that was named, or the one with the keyboard. Never a password's."""
    assert isinstance(op, ops.Type)  # noqa: S101 - the table says so
    named = seen.element(op.element)
    box = seen.now(named) if named else _focused(seen)
    if box is None or "unreadable" in box.states or not {box.role, *box.states} & {*EDITED, "editable"}:
        return None
    if "password" in box.states or (named and "password" in named.states):
        return EffectVerdict("unknown", "what is in a password field is not read back")
    if redactor().stand_ins(op.text):
        return None
    holds = f"the box now holds {_quoted(box.value)}"
    if reads_as(box.value, op.text) if box.source == "ocr" else _holds(box.value, op.text):
        among = f"the box now holds it among {len(box.value)} characters"
        return EffectVerdict("confirmed", among if len(box.value) > _SHOWN else holds)
    was = named or find_again(box, seen.before.elements)
    same = was is not None and was.value == box.value
    return EffectVerdict("unknown", holds, late=same and not moves_focus(op))


def _holds(value: str, text: str) -> bool:
    """Is the text in the value, spaces and ends of lines aside? Toolkits break lines as they like."""
    wanted = text.split()
    return bool(wanted) and " ".join(wanted) in " ".join(value.split())


def _focused(seen: BeforeAfter) -> Element | None:
    """The innermost element with the keyboard in the active window."""
    after = seen.after
    if after is None:
        return None
    mine = [each for each in after.elements if "focused" in each.states and each.window == after.window]
    return min(mine, key=lambda each: each.bounds.width * each.bounds.height, default=None)


def _named(element: Element) -> str:
    return f"“{one_line(element.name, _SHOWN)}”" if element.name else f"the {one_line(element.role, _SHOWN)}"


def _quoted(value: str) -> str:
    if not value:
        return "nothing"
    return f"“{one_line(value, _SHOWN)}{'…' if len(value) > _SHOWN else ''}”"


_RULES: Mapping[type[Op], Callable[[Op, BeforeAfter], EffectVerdict | None]] = {
    ops.Click: _click,
    ops.ClickElement: _click,
    ops.HoverElement: _hover,
    ops.FocusElement: _focus,
    ops.DragElement: _drag,
    ops.ScrollElement: _scroll,
    ops.Scroll: _turn_wheel,
    ops.Type: _type,
}
