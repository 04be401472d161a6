"""An operation in words: what is being done, what was done, and exactly how."""

from __future__ import annotations

from collections.abc import Mapping

from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.ops import Op, name_of
from desktop_agent.redaction.redactor import dotted
from desktop_agent.vision.observation import Element

Elements = Mapping[str, Element]

_SHOWN = 60
_CLICKS = {1: "click", 2: "double-click", 3: "triple-click"}
# Present, past and asking form of each operation's verb, for people.
_VERBS = {
    "move": ("Moving the pointer", "Moved the pointer", "Move the pointer"),
    "mouse_down": ("Pressing the mouse button", "Pressed the mouse button", "Press the mouse button"),
    "mouse_up": ("Releasing the mouse button", "Released the mouse button", "Release the mouse button"),
    "drag": ("Dragging", "Dragged", "Drag"),
    "key_down": ("Holding", "Held", "Hold"),
    "key_up": ("Releasing", "Released", "Release"),
    "key_combo": ("Pressing", "Pressed", "Press"),
    "wait": ("Waiting", "Waited", "Wait"),
    "hover_element": ("Pointing at", "Pointed at", "Point at"),
    "focus_element": ("Going to", "Went to", "Go to"),
    "drag_element": ("Dragging", "Dragged", "Drag"),
    "open": ("Opening", "Opened", "Open"),
    "look": ("Taking a closer look", "Took a closer look", "Take a closer look"),
    "read": ("Reading", "Read", "Read"),
    "run": ("Running a command in", "Ran a command in", "Run a command in"),
    "read_file": ("Reading the file", "Read the file", "Read the file"),
    "write_file": ("Writing the file", "Wrote the file", "Write the file"),
    "edit_file": ("Editing the file", "Edited the file", "Edit the file"),
    "ask": ("Asking", "Asked", "Ask"),
    "done": ("Calling it done", "Called it done", "Call it done"),
    "fail": ("Giving up", "Gave up", "Give up"),
    "release_all": ("Letting go of everything", "Let go of everything", "Let go of everything"),
    "pause": ("Pausing", "Paused", "Pause"),
    "stop": ("Stopping", "Stopped", "Stop"),
}


def present(op: Op, elements: Elements) -> str:
    """What is being done, like `Clicking “Save”`."""
    return _join(_verb(op, 0), _object(op, elements))


def past(op: Op, elements: Elements) -> str:
    """What was done, like `Clicked “Save”`."""
    return _join(_verb(op, 1), _object(op, elements))


def request(op: Op, elements: Elements) -> str:
    """What is asked for, like `Click “Save”`."""
    return _join(_verb(op, 2), _object(op, elements))


def exact(op: Op, at: Point | None) -> str:
    """The operation as it is carried out, like `click(left) at 400,300`."""
    text = f"{name_of(op)}({_arguments(op)})"
    return f"{text} at {at.x},{at.y}" if at is not None else text


def _verb(op: Op, tense: int) -> str:
    if isinstance(op, ops.Click | ops.ClickElement):
        return _click_verb(op.button, op.count, tense)
    if isinstance(op, ops.Type):
        return ("Typing", "Typed", "Type")[tense]
    if isinstance(op, ops.Scroll | ops.ScrollElement):
        return ("Scrolling", "Scrolled", "Scroll")[tense] + " " + _direction(op.dx, op.dy)
    return _VERBS[name_of(op)][tense]


def _click_verb(button: str, count: int, tense: int) -> str:
    verb = ("" if button == "left" else f"{button}-") + _CLICKS[count]
    return verb.capitalize() + ("ing", "ed", "")[tense]


def _direction(dx: int, dy: int) -> str:
    vertical = f"{'down' if dy < 0 else 'up'} {abs(dy)}" if dy else ""
    horizontal = f"{'right' if dx > 0 else 'left'} {abs(dx)}" if dx else ""
    return " and ".join(filter(None, (vertical, horizontal))) or "nowhere"


def _object(op: Op, elements: Elements) -> str:
    match op:
        case ops.DragElement():
            return f"{_named(op.element, elements)} onto {_named(op.to, elements)}"
        case ops.Type(element=str(element)):
            return f"“{_short(op.text)}” into {_named(element, elements)}"
        case ops.Type():
            return f"“{_short(op.text)}”"
        case ops.ScrollElement():
            return f"in {_named(op.element, elements)}"
        case ops.ClickElement() | ops.HoverElement() | ops.FocusElement():
            return _named(op.element, elements)
        case ops.KeyCombo():
            return "+".join(key.capitalize() for key in op.keys)
        case ops.KeyDown() | ops.KeyUp():
            return op.key.capitalize()
        case ops.Wait():
            return f"{op.seconds:g} s"
        case ops.Open():
            return f"“{_short(op.target)}”"
        case ops.Read():
            return _named(op.element, elements) if op.element else "the screen"
        case ops.Run():
            return op.environment
        case ops.ReadFile() | ops.WriteFile() | ops.EditFile():
            return _short(op.path)
        case ops.Click(x=int(x), y=int(y)):
            return f"at {x},{y}"
    return ""


def _arguments(op: Op) -> str:
    match op:
        case ops.Click() | ops.ClickElement():
            held = "+".join((*op.modifiers, op.button))
            return held if op.count == 1 else f"{held} x{op.count}"
        case ops.MouseDown() | ops.MouseUp() | ops.Drag():
            return op.button
        case ops.Scroll() | ops.ScrollElement():
            return f"{op.dx},{op.dy}"
        case ops.Type():
            return repr(_short(op.text))
        case ops.KeyCombo():
            return "+".join(op.keys)
        case ops.KeyDown() | ops.KeyUp():
            return op.key
        case ops.Wait():
            return f"{op.seconds:g}"
        case ops.Open():
            return repr(_short(op.target))
    return ""


def _named(id: str, elements: Elements) -> str:
    element = elements.get(id)
    if element is None:
        return id
    return f"“{_short(element.name)}”" if element.name else f"the {element.role}"


def _short(text: str) -> str:
    text = dotted(text)
    flat = " ".join(text.split()) if "\n" in text else text
    return flat if len(flat) <= _SHOWN else flat[: _SHOWN - 1] + "…"


def _join(verb: str, object_: str) -> str:
    return f"{verb} {object_}".strip()
