"""What an instruction asks of a skilled hand: figures, points of a diagram, putting things in place."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from desktop_agent.llm.offline.named import Phrase

Way: TypeAlias = Literal["left", "right", "up", "down"]


class ClickAll(msgspec.Struct, frozen=True):
    """Click every figure of a kind, colour or size; `order` is 1 for from the least number up, -1 for down."""

    what: Phrase
    order: int = 0


class Count(msgspec.Struct, frozen=True):
    """Tell how many figures there are of a kind, colour or size."""

    what: Phrase


class Identify(msgspec.Struct, frozen=True):
    """Tell what kind of figure is drawn, or how many sides it has."""

    what: Literal["kind", "sides"]


class GridPoint(msgspec.Struct, frozen=True):
    """Click a point of a diagram, by the numbers at its axes."""

    x: float
    y: float


class Shift(msgspec.Struct, frozen=True):
    """Drag a thing some way; by so many places of its list, or a little when that is 0."""

    what: Phrase
    way: Way
    places: int = 0


class Place(msgspec.Struct, frozen=True):
    """Drag an entry to another place of its list or grid, said by number (-1 the last) or by `corner` words."""

    what: Phrase
    number: int = 0
    corner: str = ""


class Gather(msgspec.Struct, frozen=True):
    """Drag every figure of a kind into another; `rest` are all that are in none yet."""

    what: Phrase
    onto: Phrase
    rest: bool = False


class Arrange(msgspec.Struct, frozen=True):
    """Put the entries of a list in order by dragging."""

    down: bool = False


class Resize(msgspec.Struct, frozen=True):
    """Make a thing wider, taller, narrower or lower by its corner."""

    what: Phrase
    side: Literal["width", "height"]
    larger: bool


Drawn: TypeAlias = ClickAll | Count | Identify | GridPoint | Shift | Place | Gather | Arrange | Resize
