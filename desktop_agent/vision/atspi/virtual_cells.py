"""Finds the visible cells of a list or table that creates its children on demand (MANAGES_DESCENDANTS).

Such a list may claim 2^31 children, so they cannot be enumerated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.atspi.bus import Bus
from desktop_agent.vision.atspi.node_queries import COMPONENT, SCREEN
from desktop_agent.vision.atspi.wire import BusReply, Call, references

_ROW_STEP, _COLUMN_STEP = 10, 24  # pixels; rows and columns are hardly ever smaller
_MAX_ROWS, _MAX_COLUMNS = 90, 60


class VirtualCells:
    """Finds cells by hit-testing points: down the left edge, along one row, then at the crossings of both.

    Calls `found` once with the path of each cell.
    """

    def __init__(self, bus: Bus, bus_name: str, path: str, found: Callable[[str], None]) -> None:
        self._bus = bus
        self._bus_name = bus_name
        self._path = path
        self._found = found
        self._bounds = Rect(0, 0, 0, 0)
        self._rows: dict[str, int] = {}
        self._columns: dict[str, int] = {}
        self._told: set[str] = set()

    def look(self) -> None:
        """Queue the first query; its answers queue the others."""
        self._bus.call(self._call("GetExtents", "u", SCREEN), self._on_extents)

    def _on_extents(self, reply: BusReply) -> None:
        extents = reply.extents()
        if extents is None or extents[2] <= 0 or extents[3] <= 0:
            return
        self._bounds = Rect(*extents)
        heights = range(self._bounds.y + _ROW_STEP // 2, self._bounds.bottom, _ROW_STEP)[:_MAX_ROWS]
        x = self._bounds.x + min(16, self._bounds.width // 2)
        self._ask([(x, y) for y in heights], self._on_row, self._look_along)

    def _on_row(self, _x: int, y: int, path: str) -> None:
        self._rows.setdefault(path, y)

    def _look_along(self) -> None:
        if self._rows:
            y = list(self._rows.values())[len(self._rows) // 2]
            widths = range(self._bounds.x + 4, self._bounds.right, _COLUMN_STEP)[:_MAX_COLUMNS]
            self._ask([(x, y) for x in widths], self._on_column, self._look_everywhere)

    def _on_column(self, x: int, _y: int, path: str) -> None:
        self._columns.setdefault(path, x)

    def _look_everywhere(self) -> None:
        columns = list(self._columns.values())[1:]
        self._ask([(x, y) for y in self._rows.values() for x in columns], lambda *_: None, lambda: None)

    def _ask(
        self,
        points: Sequence[tuple[int, int]],
        then: Callable[[int, int, str], None],
        finally_: Callable[[], None],
    ) -> None:
        left = len(points)

        def on_answer(x: int, y: int, reply: BusReply) -> None:
            nonlocal left
            left -= 1
            for bus_name, path in references(reply):
                if bus_name == self._bus_name and path != self._path:
                    self._tell(path)
                    then(x, y, path)
            if not left:
                finally_()

        for x, y in points:
            self._bus.call(self._call("GetAccessibleAtPoint", "iiu", x, y, SCREEN), partial(on_answer, x, y))

    def _tell(self, path: str) -> None:
        if path not in self._told and not path.endswith("/null"):
            self._told.add(path)
            self._found(path)

    def _call(self, member: str, signature: str, *values: int) -> Call:
        return Call(self._bus_name, self._path, COMPONENT, member, signature, values)
