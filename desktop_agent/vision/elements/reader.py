"""The interface to a platform's accessibility tree: reads the elements on the screen."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence

from desktop_agent.protocol.geometry import Point
from desktop_agent.vision.elements.occlusion import WindowBounds, visible_elements
from desktop_agent.vision.elements.stable_ids import StableIds
from desktop_agent.vision.observation import Element


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
        """As `Target.hurry`."""
        del handle, point
        return False

    @abstractmethod
    def close(self) -> None:
        """Close the connections; safe to call twice."""
