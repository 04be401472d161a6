"""Reads the visible cells of a spreadsheet, or of another table that creates its children on demand, with their addresses and texts.

A sheet claims to have 2^31 children, and makes a new object for a cell each time it is asked for one.
So the two corner cells in view give the range of rows and columns, one cell of each row and column gives its
bounds, and only the text is queried of every cell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.atspi import constants as names
from desktop_agent.vision.atspi.bus import Bus, Then
from desktop_agent.vision.atspi.node_queries import ACCESSIBLE, COMPONENT, SCREEN, property_of
from desktop_agent.vision.atspi.reuse import Reusable
from desktop_agent.vision.atspi.tree import MAX_VALUE, Node
from desktop_agent.vision.atspi.wire import BusReply, Call, references, text

MAX_ROWS, MAX_COLUMNS = 80, 40
"""Rows and columns in view that are read, at most."""

_TABLE = "org.a11y.atspi.Table"
_ADDRESS = re.compile(r"\$?([A-Z]{1,3})\$?([1-9][0-9]{0,6})")
_INSET = 2  # pixels from the edge, where the grid lines are
_STATES = names.SHOWING | names.VISIBLE | names.ENABLED | names.FOCUSABLE | names.EDITABLE


_ROW_STEP, _COLUMN_STEP = 10, 24  # pixels; rows and columns are hardly ever smaller
_MAX_ROWS, _MAX_COLUMNS = 90, 60


class SheetReader:
    """Reads one sheet: calls `found` once per cell, or `otherwise` when the table's cells have no sheet addresses."""

    def __init__(
        self,
        bus: Bus,
        sheet: tuple[str, str],
        found: Callable[[Node], None],
        otherwise: Callable[[], None],
        reusable: Reusable,
    ) -> None:
        """`sheet` is its bus name and path; `reusable` holds the cells that are still valid."""
        self._bus, (self._bus_name, self._path) = bus, sheet
        self._found, self._otherwise, self._reusable = found, otherwise, reusable
        self._bounds = Rect(0, 0, 0, 0)
        self._corners: list[tuple[int, int] | None] = []
        self._rows: dict[int, Rect] = {}
        self._columns: dict[int, Rect] = {}
        self._chosen = ""

    def look(self) -> None:
        """Queue the first query; its answers queue the others."""
        self._bus.call(self._call(COMPONENT, "GetExtents", "u", SCREEN), self._on_extents)

    def _on_extents(self, reply: BusReply) -> None:
        extents = reply.extents()
        if extents is None or min(extents[2:]) <= 2 * _INSET:
            self._otherwise()
            return
        self._bounds = Rect(*extents)
        first = (self._bounds.x + _INSET, self._bounds.y + _INSET)
        last = (self._bounds.right - _INSET - 1, self._bounds.bottom - _INSET - 1)
        chosen = self._call("org.a11y.atspi.Selection", "GetSelectedChild", "i", 0)
        self._with_object(chosen, partial(self._ask_name, self._on_chosen))
        for point in (first, last):
            corner = self._call(COMPONENT, "GetAccessibleAtPoint", "iiu", *point, SCREEN)
            self._with_object(corner, partial(self._ask_name, self._on_corner))

    def _ask_name(self, then: Then, path: str) -> None:
        self._bus.call(property_of(self._bus_name, path, ACCESSIBLE, "Name"), then)

    def _on_chosen(self, reply: BusReply) -> None:
        self._chosen = text(reply)

    def _on_corner(self, reply: BusReply) -> None:
        self._corners.append(position(text(reply)))
        if len(self._corners) < 2:
            return
        first, last = self._corners
        if first is None or last is None or last < first:
            self._otherwise()
            return
        rows = range(first[0], last[0] + 1)[:MAX_ROWS]
        columns = range(first[1], last[1] + 1)[:MAX_COLUMNS]
        for row in rows:
            self._ask_place(row, columns[0], partial(self._rows.__setitem__, row))
        for column in columns:
            self._ask_place(rows[0], column, partial(self._columns.__setitem__, column))
        # Replies come in the order of the calls: this one's arrives when all bounds are known.
        self._bus.call(self._call(COMPONENT, "GetExtents", "u", SCREEN), lambda _: self._bus.call(
            self._call(COMPONENT, "GetExtents", "u", SCREEN), self._on_places
        ))  # fmt: skip

    def _ask_place(self, row: int, column: int, then: Callable[[Rect], None]) -> None:
        def on_extents(reply: BusReply) -> None:
            extents = reply.extents()
            if extents is not None and min(extents[2:]) > 0:
                then(Rect(*extents))

        def on_cell(path: str) -> None:
            self._bus.call(Call(self._bus_name, path, COMPONENT, "GetExtents", "u", (SCREEN,)), on_extents)

        self._with_object(self._call(_TABLE, "GetAccessibleAt", "ii", row, column), on_cell)

    def _on_places(self, _: BusReply) -> None:
        for row, high in self._rows.items():
            for column, wide in self._columns.items():
                bounds = Rect(wide.x, high.y, wide.width, high.height)
                self._tell(row, column, bounds.intersection(self._bounds))

    def _tell(self, row: int, column: int, bounds: Rect) -> None:
        name = address(row, column)
        path = f"{self._path}#{name}"
        states = _STATES | (names.SELECTED if name == self._chosen else 0)
        index = len(self._columns) * row + column
        known = self._reusable.take(path)
        if known is not None and known.bounds == bounds:
            known.states = states
            self._found(known)
            return
        node = Node(path, self._path, index, "table cell", name, "", states, b"", bounds)

        def on_text(reply: BusReply) -> None:
            said = text(reply)
            node.text = said if len(said) <= MAX_VALUE else said[:MAX_VALUE] + "…"
            self._found(node)  # not earlier: an empty cell is not the same as one that did not answer

        def on_cell(cell: str) -> None:
            whole = (0, -1)
            self._bus.call(Call(self._bus_name, cell, "org.a11y.atspi.Text", "GetText", "ii", whole), on_text)

        self._with_object(self._call(_TABLE, "GetAccessibleAt", "ii", row, column), on_cell)

    def _with_object(self, call: Call, then: Callable[[str], None]) -> None:
        def on_answer(reply: BusReply) -> None:
            paths = [path for bus_name, path in references(reply) if bus_name == self._bus_name]
            then(paths[0] if paths else self._path)

        self._bus.call(call, on_answer)

    def _call(self, interface: str, member: str, signature: str, *values: int) -> Call:
        return Call(self._bus_name, self._path, interface, member, signature, values)


def position(name: str) -> tuple[int, int] | None:
    """Row and column, from 0, of an address like B7; None for anything else."""
    found = _ADDRESS.fullmatch(name.strip())
    if found is None:
        return None
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return int(found[2]) - 1, column - 1


def address(row: int, column: int) -> str:
    """The address of a cell by row and column, both from 0: (6, 1) is B7."""
    letters, rest = "", column + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row + 1}"


# Such a list may claim 2^31 children, so they cannot be enumerated.
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
