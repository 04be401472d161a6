"""What stands on a terminal, for several threads: what a program prints goes in, views of the screen come out."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

from pyte.screens import Char

from desktop_agent.extras.camera.endpoint.output_filter import OutputFilter
from desktop_agent.extras.camera.endpoint.terminal_emulator import (
    EmulatedScreen,
    EmulatedStream,
    Row,
)


class TerminalView(NamedTuple):
    """`rows` from the top; the cursor's column and row, or None where it is not to be seen; `above` lines can be scrolled to.

    Rows that have not changed are the same objects as in the view before.
    """

    rows: tuple[Row, ...]
    cursor: tuple[int, int] | None
    above: int


class TerminalScreen:
    """The emulator of one terminal; for several threads. `answer` is called with what it says to the program."""

    def __init__(self, columns: int, rows: int, answer: Callable[[bytes], None]) -> None:
        self._lock = threading.Lock()
        self._filter = OutputFilter()
        self._screen = EmulatedScreen(columns, rows, answer)
        self._stream = EmulatedStream(self._screen)
        # Else the line-drawing characters of programs that choose that set would be letters.
        self._stream.use_utf8 = False

    @property
    def columns(self) -> int:
        return int(self._screen.columns)

    @property
    def lines(self) -> int:
        return int(self._screen.lines)

    @property
    def full_screen(self) -> bool:
        """Does a program use the second screen, as editors and pagers do?"""
        return self._screen.first is not None

    def mode(self, number: int) -> bool:
        """Is this private mode set (CURSOR_KEYS, BRACKETED_PASTE)?"""
        return number in self._screen.mode

    def feed(self, data: bytes) -> None:
        """Carry out a piece of output."""
        with self._lock:
            self._stream.feed(self._filter.text(data))

    def resize(self, columns: int, rows: int) -> None:
        """Make it as large; lines that have no room at the top are scrolled away."""
        with self._lock:
            self._screen.resize(rows, columns)

    def view(self, back: int = 0) -> TerminalView:
        """What is to be seen `back` lines above the newest ones."""
        with self._lock:
            rows, above = self._screen.rows(), len(self._screen.above)
            cursor = self._screen.cursor
            place = (min(cursor.x, self.columns - 1), cursor.y) if not cursor.hidden else None
            if back := min(back, above):
                earlier = [
                    self._screen.above[index]
                    for index in range(above - back, min(above, above - back + self.lines))
                ]
                fitted = [_fitted(row, self.columns, self._screen.default_char) for row in earlier]
                rows = (*fitted, *rows[: self.lines - len(fitted)])
                place = (place[0], place[1] + back) if place and place[1] + back < self.lines else None
            return TerminalView(rows, place, above)

    def text(self) -> list[str]:
        """Its lines, without blanks at their ends."""
        return ["".join(cell.data for cell in row).rstrip() for row in self.view().rows]


def _fitted(row: Row, columns: int, blank: Char) -> Row:
    return row[:columns] if len(row) >= columns else (*row, *(blank,) * (columns - len(row)))
