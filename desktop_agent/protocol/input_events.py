"""The raw input events that every target injects."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

Button: TypeAlias = Literal["left", "middle", "right", "back", "forward"]


class _Event(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower, forbid_unknown_fields=True):
    pass


class Move(_Event, frozen=True):
    """Moves the pointer to a pixel of the virtual desktop."""

    x: int
    y: int


class ButtonDown(_Event, frozen=True):
    """Presses a pointer button."""

    button: Button


class ButtonUp(_Event, frozen=True):
    """Releases a pointer button."""

    button: Button


class Wheel(_Event, frozen=True):
    """Turns the wheel by notches: `dx` positive to the right, `dy` negative downwards (the page moves up)."""

    dx: int
    dy: int


class KeyDown(_Event, frozen=True):
    """Presses a key by its canonical name (`protocol.keys`)."""

    key: str


class KeyUp(_Event, frozen=True):
    """Releases a key by its canonical name."""

    key: str


class Text(_Event, frozen=True):
    """Types a chunk of text exactly, at most 32 characters: rate, bounds and guard are checked once for all of them."""

    chunk: str


InputEvent: TypeAlias = Move | ButtonDown | ButtonUp | Wheel | KeyDown | KeyUp | Text
