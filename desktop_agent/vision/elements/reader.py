"""The interface to a platform's accessibility tree: elements in reading order, with short ids that stay the same from read to read."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.vision.elements.occlusion import WindowBounds, visible_elements
from desktop_agent.vision.observation import Element

MOST = 20_000
"""Elements whose ids are remembered; those seen longest ago are forgotten, and get a new id when they come back."""
_Key = tuple[str, str]


T = TypeVar("T")


class ElementReader(ABC):
    """Reads the elements showing on a screen. Usable from several threads, one at a time.

    `reason` says why nothing can be read ("" while all is well), `silent` names the applications that
    did not answer in time on the last read, `questions` counts the requests sent to applications so far.
    """

    reason: str = ""
    silent: tuple[str, ...] = ()
    questions: int = 0

    def __init__(self) -> None:
        self._ids = StableIds()
        self._assigning = threading.Lock()

    def read(
        self, windows: Sequence[WindowBounds] | None = None, ignored: Collection[int] = (), only: int = 0
    ) -> tuple[Element, ...]:
        """The elements in reading order with short ids; () with a `reason` when there is no accessibility.

        An element keeps its id from read to read as long as it exists; ids are never reused. With `windows`
        (front to back) only what they do not cover is returned. Processes in `ignored` are not queried; with
        `only`, no process but this one is. Takes a bounded time: what has not been answered by then is left out.
        """
        elements: Sequence[Element] = self._read(windows or (), ignored, only)
        if windows is not None:
            elements = visible_elements(elements, windows)
        with self._assigning:
            return self._ids.assign(elements)

    @abstractmethod
    def _read(
        self, windows: Sequence[WindowBounds], ignored: Collection[int], only: int, /
    ) -> Sequence[Element]:
        """All elements, covered ones included, window by window, with ids unique among them.

        Sets `reason` and `silent`, never raises.
        """

    def hurry(self, handle: str, point: Point) -> bool:
        """As `HasElementHandles.hurry`."""
        del handle, point
        return False

    @abstractmethod
    def close(self) -> None:
        """Close the connections; safe to call twice."""


class StableIds:
    """Assigns e1, e2, … in the order in which elements are first seen. An id is never reused."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._ids: dict[_Key, str] = {}
        self._given = 0

    def assign(self, elements: Sequence[Element]) -> tuple[Element, ...]:
        """The elements with short ids in place of the platform's, in `parent` too."""
        # Platforms reuse the ids of objects that have gone, but hardly ever for one of the same role.
        ids = {each.id: self._id((each.id, each.role)) for each in elements}
        self._forget()
        return tuple(replace(each, id=ids[each.id], parent=ids.get(each.parent, "")) for each in elements)

    def _id(self, key: _Key) -> str:
        id = self._ids.pop(key, "")
        if not id:
            self._given += 1
            id = f"e{self._given}"
        self._ids[key] = id  # now the last seen
        return id

    def _forget(self) -> None:
        for key in list(self._ids)[: max(0, len(self._ids) - self._most)]:
            del self._ids[key]


def in_rows(placed: Iterable[tuple[Rect, T]]) -> list[T]:
    """The things by their bounds in rows from top to bottom, each row from left to right.

    A row is everything whose top lies above the middle of the row's topmost thing.
    """
    left = sorted(placed, key=lambda each: each[0].y)
    ordered: list[T] = []
    while left:
        middle = max(left[0][0].center.y, left[0][0].y + 1)
        row = [each for each in left if each[0].y < middle]
        left = left[len(row) :]
        ordered += [thing for _, thing in sorted(row, key=lambda each: each[0].x)]
    return ordered
