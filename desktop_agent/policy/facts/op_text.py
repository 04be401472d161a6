"""An operation in words: what is being done, what was done, and exactly how."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Point
from desktop_agent.protocol.ops import Op, name_of
from desktop_agent.redaction.redactor import dotted
from desktop_agent.vision.observation import Element

Elements: TypeAlias = Mapping[str, Element]
_Form: TypeAlias = Literal["present", "past", "request"]

SHOWN = 60
"""Characters of a name or a text that a headline shows."""
_CLICKS = {1: "", 2: "double-", 3: "triple-"}


def present(op: Op, elements: Elements) -> str:
    """What is being done, like `Clicking “Save”`."""
    return _join(_verb(op, "present"), _object(op, elements))


def past(op: Op, elements: Elements) -> str:
    """What was done, like `Clicked “Save”`."""
    return _join(_verb(op, "past"), _object(op, elements))


def request(op: Op, elements: Elements) -> str:
    """What is asked for, like `Click “Save”`; a text too long for a headline is counted: it is shown whole below."""
    return _join(_verb(op, "request"), _object(op, elements, _counted))


def exact(op: Op, at: Point | None) -> str:
    """The operation as it is carried out, whole, like `click(left) at 400,300`."""
    return _placed(f"{name_of(op)}({_arguments(op, _whole)})", at)


def brief(op: Op, at: Point | None) -> str:
    """The operation as it is carried out, for the list of what was done: long texts are cut."""
    return _placed(f"{name_of(op)}({_arguments(op, _short)})", at)


def _placed(text: str, at: Point | None) -> str:
    return f"{text} at {at.x},{at.y}" if at is not None else text


def _verb(op: Op, form: _Form) -> str:
    verb: str = getattr(op.traits.verbs, form)
    if isinstance(op, ops.Click | ops.ClickElement):
        kind = ("" if op.button == "left" else f"{op.button}-") + _CLICKS[op.count]
        return (kind + verb.lower()).capitalize()
    if isinstance(op, ops.Scroll | ops.ScrollElement):
        return f"{verb} {_direction(op.dx, op.dy)}"
    return verb


def _direction(dx: int, dy: int) -> str:
    vertical = f"{'down' if dy < 0 else 'up'} {abs(dy)}" if dy else ""
    horizontal = f"{'right' if dx > 0 else 'left'} {abs(dx)}" if dx else ""
    return " and ".join(filter(None, (vertical, horizontal))) or "nowhere"


def _object(op: Op, elements: Elements, text: Callable[[str], str] | None = None) -> str:
    said = text or _in_quotes
    match op:
        case ops.DragElement():
            return f"{_named(op.element, elements)} onto {_named(op.to, elements)}"
        case ops.Type(element=str(element)):
            return f"{said(op.text)} into {_named(element, elements)}"
        case ops.Type():
            return said(op.text)
        case ops.ScrollElement():
            return f"in {_named(op.element, elements)}"
        case ops.KeyCombo(names):
            return _keys(names)
        case ops.KeyDown(key) | ops.KeyUp(key):
            return _keys((key,))
        case ops.Wait():
            return f"{op.seconds:g} s"
        case ops.Open():
            return said(op.target)
        case ops.Read(element=None):
            return "the screen"
        case ops.Run():
            return op.environment
        case ops.Remember():
            return said(op.title)
        case ops.ReadFile() | ops.WriteFile() | ops.EditFile():
            return _short(op.path)
        case ops.Click(x=int(x), y=int(y)):
            return f"at {x},{y}"
    id: str | None = getattr(op, "element", None)
    return _named(id, elements) if id else ""


def _keys(names: tuple[str, ...]) -> str:
    """Keys as menus print them; a capital by itself is pressed with Shift, and told so."""
    capital = len(names) == 1 and names[0] != names[0].lower()
    return "+".join(("Shift", *names) if capital else (name.capitalize() for name in names))


def _arguments(op: Op, text: Callable[[str], str]) -> str:
    match op:
        case ops.Click() | ops.ClickElement():
            held = "+".join((*op.modifiers, op.button))
            return held if op.count == 1 else f"{held} x{op.count}"
        case ops.MouseDown() | ops.MouseUp() | ops.Drag():
            return op.button
        case ops.Scroll() | ops.ScrollElement():
            return f"{op.dx},{op.dy}"
        case ops.Type():
            return repr(text(op.text))
        case ops.KeyCombo():
            return "+".join(op.keys)
        case ops.KeyDown() | ops.KeyUp():
            return op.key
        case ops.Wait():
            return f"{op.seconds:g}"
        case ops.Open():
            return repr(text(op.target))
        case ops.Run():
            return f"{op.environment}, {dotted(op.command)!r}"  # whole: a yes is to all of it
        case ops.ReadFile():
            return repr(op.path)
        case ops.WriteFile():
            return f"{op.path!r}, {dotted(op.content)!r}"
        case ops.EditFile():
            return f"{op.path!r}, {dotted(op.old)!r}, {dotted(op.new)!r}"
    return ""


def _named(id: str, elements: Elements) -> str:
    element = elements.get(id)
    if element is None:
        return id
    return f"“{_short(element.name)}”" if element.name else f"the {element.role}"


def _counted(text: str) -> str:
    whole = dotted(text)
    return (
        f"{len(whole):,} characters"
        if len(whole) > SHOWN or "\n" in whole.strip("\n")
        else f"“{_short(text)}”"
    )


def _in_quotes(text: str) -> str:
    return f"“{_short(text)}”"


def _whole(text: str) -> str:
    return dotted(text)


def _short(text: str) -> str:
    text = dotted(text)
    flat = " ".join(text.split()) if "\n" in text else text
    return flat if len(flat) <= SHOWN else flat[: SHOWN - 1] + "…"


def _join(verb: str, object_: str) -> str:
    return f"{verb} {object_}".strip()
