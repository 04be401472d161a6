"""Keeps which elements a look showed as a table, and tells how the next look differs from it, compactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from desktop_agent.vision.observation import Element, Observation

_LONGEST = 200
"""Most characters of a name or a value that are kept."""


class ElementRow(msgspec.Struct, frozen=True, array_like=True):
    """What is kept of an element: enough to know it again under another id. `read`: it was read from the picture."""

    id: str
    role: str
    name: str
    value: str
    window: str
    trail: tuple[int, ...] = ()
    read: bool = False


class LookChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a look differs from the one before; the first has every element in `new`. `picture` is its width and height."""

    picture: tuple[int, int] = (0, 0)
    window: str = ""
    windows: tuple[str, ...] = ()
    new: tuple[ElementRow, ...] = ()
    gone: tuple[str, ...] = ()


class ElementTable:
    """The elements of the last look, by id."""

    def __init__(self) -> None:
        self._rows: dict[str, ElementRow] = {}

    @property
    def rows(self) -> Mapping[str, ElementRow]:
        """A copy that stays as it is."""
        return dict(self._rows)

    def take(self, observation: Observation) -> LookChange:
        """Take in a look; what is new or different in it, and what is gone."""
        now = {row.id: row for row in rows_of(observation.elements)}
        change = LookChange(
            picture=(observation.viewport.image.width, observation.viewport.image.height),
            window=observation.window,
            windows=observation.windows,
            new=tuple(row for row in now.values() if self._rows.get(row.id) != row),
            gone=tuple(id for id in self._rows if id not in now),
        )
        self._rows = now
        return change

    def apply(self, change: LookChange) -> None:
        """Make the table that of the look which this change led to."""
        for id in change.gone:
            self._rows.pop(id, None)
        self._rows |= {row.id: row for row in change.new}


def rows_of(elements: Iterable[Element]) -> Iterable[ElementRow]:
    """The rows of elements."""
    for each in elements:
        yield ElementRow(
            each.id,
            each.role,
            each.name[:_LONGEST],
            each.value[:_LONGEST],
            each.window,
            each.trail,
            each.source == "ocr",
        )
