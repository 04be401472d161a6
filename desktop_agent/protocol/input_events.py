"""The few raw input events that every target understands."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

Button: TypeAlias = Literal["left", "middle", "right", "back", "forward"]


class _Event(msgspec.Struct, frozen=True, tag_field="event", tag=str.lower, forbid_unknown_fields=True):
    pass


class Move(_Event, frozen=True):
    """Pointer to a pixel of the virtual desktop."""

    x: int
    y: int


class ButtonDown(_Event, frozen=True):
    button: Button


class ButtonUp(_Event, frozen=True):
    button: Button


class Wheel(_Event, frozen=True):
    """Notches: `dx` positive to the right, `dy` negative downwards (the page moves up)."""

    dx: int
    dy: int


class KeyDown(_Event, frozen=True):
    """`key` is a canonical name of `protocol.keys`."""

    key: str


class KeyUp(_Event, frozen=True):
    key: str


class Text(_Event, frozen=True):
    """A chunk of text to arrive exactly; at most 32 characters: rate, bounds and the guard are checked once for all of them."""

    chunk: str


InputEvent: TypeAlias = Move | ButtonDown | ButtonUp | Wheel | KeyDown | KeyUp | Text
