"""Tells what an operation does at its place, as a scope grants it: look, fill or act.

Whatever is not known to only look or fill acts.
"""

from __future__ import annotations

from desktop_agent.agent.policy.key_effects import combo, pastes, presses_enter, takes_text
from desktop_agent.agent.policy.place import Place, editable
from desktop_agent.agent.policy.programs import BROWSERS, is_one_of
from desktop_agent.agent.policy.scope.scope import How
from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op

_FOLLOWED = frozenset(("link", "page tab"))
_CHOSEN = frozenset(("check box", "radio button", "combo box", "spin button"))
_WRITTEN = frozenset(("table cell", "document spreadsheet"))
"""Beside text fields: what is typed there is its content, and no shortcut."""
_SLIDES = frozenset(("slider", "scroll bar", "dial"))
_HELD = frozenset(("ctrl", "alt", "shift", "altgr"))
_MOVES = frozenset(("tab", "escape", "up", "down", "left", "right", "home", "end", "page_up", "page_down"))
_ARROWS = frozenset(("up", "down", "left", "right", "home", "end", "page_up", "page_down"))
_ERASES = frozenset(("backspace", "delete"))
_EDITS = frozenset("vxzy")
_BROWSING = tuple(
    map(
        frozenset,
        (
            {"ctrl", "l"}, {"ctrl", "t"}, {"ctrl", "n"}, {"ctrl", "w"}, {"ctrl", "f"}, {"ctrl", "r"}, {"f5"}, {"f6"},
            {"alt", "d"}, {"ctrl", "tab"}, {"ctrl", "shift", "tab"}, {"ctrl", "page_up"}, {"ctrl", "page_down"},
            {"alt", "left"}, {"alt", "right"}, {"ctrl", "0"}, {"ctrl", "+"}, {"ctrl", "-"}, {"ctrl", "shift", "t"},
            *({"ctrl", str(number)} for number in range(1, 10)),
        ),
    )
)  # fmt: skip
"""Keys by which a browser goes about its own tabs, pages and fields."""


def how_of(op: Op, place: Place) -> How:
    """What `op` does at `place`, where it would land."""
    if not op.traits.gives_input or op.traits.points_only or op.traits.opens:
        return How.LOOK
    return _by_keys(op, place) if op.traits.keyboard else _by_pointer(op, place)


def _by_pointer(op: Op, place: Place) -> How:
    if isinstance(op, ops.Drag | ops.DragElement | ops.MouseUp):
        return How.ACT
    if editable(place):
        return How.FILL
    plain = getattr(op, "button", "left") == "left" and not getattr(op, "modifiers", ())
    if not plain or getattr(op, "count", 1) > 1:
        return How.ACT
    return _pressed(place)


def _pressed(place: Place) -> How:
    """What a plain click does, or Enter on what has the keyboard."""
    if place.role in _FOLLOWED:
        return How.LOOK
    return How.FILL if place.role in _CHOSEN or place.choice else How.ACT


def _by_keys(op: Op, place: Place) -> How:
    if presses_enter(op):
        lines = isinstance(op, ops.Type) and "multiline" in place.states and not place.in_page
        return How.FILL if lines else _entered(place)
    if isinstance(op, ops.Type):
        return How.FILL if not op.text or _written(place) else How.ACT
    keys = combo(op)
    if keys <= _HELD:
        return How.LOOK
    if is_one_of(BROWSERS, place.application, place.program) and keys in _BROWSING:
        return How.LOOK
    if keys - {"shift"} <= _MOVES or keys in ({"ctrl", "a"}, {"ctrl", "c"}, {"ctrl", "insert"}):
        return _moved(keys, place)
    return How.FILL if _fills(op, keys, place) else How.ACT


def _entered(place: Place) -> How:
    return How.ACT if editable(place) or place.role in _SLIDES else _pressed(place)


def _written(place: Place) -> bool:
    return editable(place) or place.role in _WRITTEN


def _moved(keys: set[str], place: Place) -> How:
    """Keys that go on to another field or line; in a list they choose, and a slider they push."""
    if not keys & _ARROWS:  # a page may take Escape for leaving what was written
        return How.FILL if place.in_page and "escape" in keys else How.LOOK
    if place.role in _SLIDES:
        return How.ACT
    return How.FILL if place.role in _CHOSEN or place.choice else How.LOOK


def _fills(op: Op, keys: set[str], place: Place) -> bool:
    if keys == {"space"} and (place.role in _CHOSEN or place.choice):
        return True
    letters = {key for key in keys if len(key) == 1}
    edits = (
        takes_text(op)
        or pastes(op)
        or keys - {"shift", "ctrl"} <= _ERASES | _ARROWS
        or (keys - letters == {"ctrl"} and letters <= _EDITS)
    )
    return _written(place) and edits
