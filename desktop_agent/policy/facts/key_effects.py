"""Tells what keys and clicks of an operation do in general: press Enter, paste, put in text, drop."""

from __future__ import annotations

from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import Refused
from desktop_agent.protocol.keys import canonical
from desktop_agent.protocol.ops import Op


def plain_key(name: str) -> str:
    """The canonical key name without left and right; an unknown name is returned as it is."""
    try:
        key = canonical(name)
    except Refused:
        return name
    plain = key.removesuffix("_left").removesuffix("_right")
    return "enter" if plain == "kp_enter" else plain.lower()


def combo(op: Op) -> set[str]:
    """The keys pressed together, canonical and without left and right; empty for other operations."""
    names = op.keys if isinstance(op, ops.KeyCombo) else (op.key,) if isinstance(op, ops.KeyDown) else ()
    return {plain_key(name) for name in names}


def presses_enter(op: Op) -> bool:
    """Does it press Enter: by the key, or by a line feed in a text?"""
    return "enter" in combo(op) or (isinstance(op, ops.Type) and "\n" in op.text)


def confirms(op: Op) -> bool:
    """Does it confirm the line of a terminal: by Enter, or by a control character that does the same (readline(3))?"""
    return presses_enter(op) or combo(op) in ({"ctrl", "m"}, {"ctrl", "j"}, {"ctrl", "o"})


def copies(op: Op) -> bool:
    """Does it put what is selected on the clipboard, by keys?"""
    return combo(op) in ({"ctrl", "c"}, {"ctrl", "x"}, {"ctrl", "insert"}, {"shift", "delete"})


def activates(op: Op) -> bool:
    """Does it press the focused button: by Enter, or by the space bar?"""
    return presses_enter(op) or "space" in combo(op) or (isinstance(op, ops.Type) and " " in op.text)


def pastes(op: Op) -> bool:
    """Does it paste the clipboard or the selection, whose origin is unknown?"""
    if isinstance(op, ops.Click | ops.ClickElement | ops.MouseDown):
        return op.button == "middle"
    keys = combo(op)
    return {"ctrl", "v"} <= keys or {"shift", "insert"} <= keys


def edits(op: Op) -> bool:
    """Does it change the text of a field in another way than by putting characters in?"""
    keys = combo(op)
    other = keys & {"backspace", "delete", "insert", "left", "right", "home", "end", "up", "down"}
    return (
        bool(other)
        or pastes(op)
        or ("ctrl" in keys and bool(keys & {"x", "z", "y", "u", "k", "w", "d", "h"}))
    )


def takes_text(op: Op) -> bool:
    """Does it put characters into the focused field?"""
    if isinstance(op, ops.Type):
        return bool(op.text)
    keys = combo(op)
    plain = not keys & {"ctrl", "alt", "super"} or "altgr" in keys
    return pastes(op) or (plain and any(len(key) == 1 or key == "space" for key in keys))


def characters(op: Op) -> str:
    """The characters that it types, by keys or as a text."""
    if isinstance(op, ops.Type):
        return op.text
    keys = combo(op)
    if keys & {"ctrl", "alt", "super"} and "altgr" not in keys:
        return ""
    return "".join(" " if key == "space" else key for key in keys if len(key) == 1 or key == "space")


def accelerator(op: Op) -> str:
    """The letter pressed with Alt (and perhaps Shift) alone, in upper case; "" for none.

    It presses the button on which that letter is underlined.
    """
    keys = combo(op)
    letters = [key for key in keys if len(key) == 1]
    return letters[0].upper() if "alt" in keys and len(letters) == 1 and not keys & {"ctrl", "super"} else ""


def drops(op: Op) -> bool:
    """Lets go of what may have been dragged along, a text for one."""
    return op.traits.drops
