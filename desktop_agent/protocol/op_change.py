"""How the user changes an operation before saying yes to it: what can be changed, and the change that was made."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from desktop_agent.protocol.geometry import Point, Rect

ChangePart: TypeAlias = Literal["text", "target", "command", "path", "content", "new", "place"]
"""A field of an operation that holds a text, or where it acts."""


class Changeable(msgspec.Struct, frozen=True):
    """A part of operation number `index` (from 0) of a question that can be changed; `value` is its text, "" for a place."""

    index: int
    part: ChangePart
    value: str = ""


class NearElement(msgspec.Struct, frozen=True):
    """An element that could be clicked instead: its id, its words for people, and the screen pixels it covers."""

    id: str
    words: str
    area: Rect


class OpChange(msgspec.Struct, frozen=True):
    """What the user changed of operation `index`: the text of `part`, or for a place an element's id or a screen point."""

    index: int
    part: ChangePart
    text: str = ""
    element: str = ""
    at: Point | None = None


class ChangedWords(msgspec.Struct, frozen=True):
    """One operation before and after the user's change, both whole, as it is carried out."""

    before: str
    after: str
