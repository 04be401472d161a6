"""pyte's emulator with what terminals do beside: scrollback, a second screen for full-screen programs, scrolling, repetition.

pyte's own HistoryScreen wraps every event and pages by changing the screen itself; here the lines that leave at the top are
kept, and whoever shows them says how far back.
"""

from __future__ import annotations

import unicodedata
from collections import deque
from collections.abc import Callable
from copy import copy
from typing import Any, TypeAlias

import pyte
from pyte import modes
from pyte.screens import Char, wcwidth

MOST_LINES = 2_000
"""Lines that are kept of what has left the screen."""
_MOST_COMBINED = 8
_PRIVATE = 5
"""pyte keeps the numbers of private modes shifted by so many bits."""
CURSOR_KEYS, BRACKETED_PASTE = 1 << _PRIVATE, 2_004 << _PRIVATE
_SECOND_SCREEN = (47, 1_047, 1_049)
_OWN_MODES = (3, 6, *_SECOND_SCREEN)
"""Private modes that pyte is not given: 132 columns, which would change the size, and rows counted from the margins (DECOM)."""

Row: TypeAlias = tuple[Char, ...]
"""A line: one cell a column; the second cell of a wide character is empty."""


class EmulatedScreen(pyte.Screen):
    """pyte's, with lines kept that leave it, a second screen, scrolling and repetition.

    `answer` is called with what it says to the program.
    """

    def __init__(self, columns: int, rows: int, answer: Callable[[bytes], None]) -> None:
        self._answer = answer
        self.above: deque[Row] = deque(maxlen=MOST_LINES)
        self.first: tuple[Any, Any, Any] | None = None
        """Lines, cursor and margins of the first screen while the second one is in use."""
        self._shown: list[Row] = []
        self._style: Char | None = None
        self._cells: dict[str, Char] = {}
        self._last = " "
        self._scrolled = False
        super().__init__(columns, rows)

    def rows(self) -> tuple[Row, ...]:
        """All lines; those that are not dirty are the ones of last time."""
        if len(self._shown) != self.lines or (self._shown and len(self._shown[0]) != self.columns):
            self._shown = [()] * self.lines
            self.dirty.update(range(self.lines))
        if self._scrolled:
            self.dirty.update(range(self.lines))
            self._scrolled = False
        for y in self.dirty:
            if y < self.lines:
                row = self._row(y)
                if row != self._shown[y]:
                    self._shown[y] = row
        self.dirty.clear()
        return tuple(self._shown)

    def _row(self, y: int) -> Row:
        cells = [self.default_char] * self.columns
        for x, cell in self.buffer[y].items() if y in self.buffer else ():
            if x < self.columns:
                cells[x] = cell
        return tuple(cells)

    def draw(self, data: str) -> None:
        """Write text at the cursor; a character in two cells does not stand in the last column alone."""
        data = data.translate(self.g1_charset if self.charset else self.g0_charset)
        cursor, last = self.cursor, self.columns
        if cursor.attrs is not self._style:
            self._style, self._cells = cursor.attrs, {}
        for char in data:
            width = 1 if " " <= char <= "~" else wcwidth(char)
            if width < 1:
                self._combine(char)
                continue
            if cursor.x + width > last:
                if modes.DECAWM in self.mode:
                    self.dirty.add(cursor.y)
                    self.carriage_return()
                    self.linefeed()
                else:
                    cursor.x = max(0, last - width)
            if modes.IRM in self.mode:
                self.insert_characters(width)
            line = self.buffer[cursor.y]
            line[cursor.x] = self._cell(char)
            if width == 2 and cursor.x + 1 < last:
                line[cursor.x + 1] = self._cell("")
            cursor.x = min(cursor.x + width, last)
            self._last = char
        self.dirty.add(cursor.y)

    def _cell(self, char: str) -> Char:
        cell = self._cells.get(char)
        if cell is None:
            if len(self._cells) > 1_000:
                self._cells = {}
            cell = self._cells[char] = self.cursor.attrs._replace(data=char)
        return cell

    def _combine(self, char: str) -> None:
        if not unicodedata.combining(char) or not self.cursor.x:
            return
        line, x = self.buffer[self.cursor.y], self.cursor.x - 1
        if not line[x].data and x:
            x -= 1
        if len(line[x].data) < _MOST_COMBINED:
            line[x] = line[x]._replace(data=unicodedata.normalize("NFC", line[x].data + char))

    def index(self) -> None:
        top, bottom = self.margins or (0, self.lines - 1)
        if self.cursor.y != bottom:
            self.cursor_down()
            return
        lines = self.buffer
        if top == 0 and self.first is None:
            self.above.append(self._row(0))
        for y in range(top, bottom):
            lines[y] = lines[y + 1]
        lines.pop(bottom, None)
        self._scrolled = True

    def scroll_up(self, count: int | None = None) -> None:
        """Move the lines between the margins up (SU)."""
        self._scroll(self.delete_lines, count)

    def scroll_down(self, count: int | None = None) -> None:
        """Move the lines between the margins down (SD)."""
        self._scroll(self.insert_lines, count)

    def _scroll(self, move: Callable[[int], None], count: int | None) -> None:
        place = self.cursor.x, self.cursor.y
        self.cursor.y = self.margins.top if self.margins else 0
        move(min(count or 1, self.lines))
        self.cursor.x, self.cursor.y = place

    def repeat(self, count: int | None = None) -> None:
        """Write the last character again (REP)."""
        self.draw(self._last * min(count or 1, self.columns))

    def set_mode(self, *numbers: int, **more: Any) -> None:
        private = bool(more.get("private"))
        wanted = [each for each in numbers if not (private and each in _OWN_MODES)]
        if wanted:
            super().set_mode(*wanted, **more)
        if private and self.first is None and any(each in _SECOND_SCREEN for each in numbers):
            self.first = (dict(self.buffer), copy(self.cursor), self.margins)
            self.buffer.clear()
            self.set_margins()
            self.dirty.update(range(self.lines))

    def reset_mode(self, *numbers: int, **more: Any) -> None:
        private = bool(more.get("private"))
        wanted = [each for each in numbers if not (private and each in _OWN_MODES)]
        if wanted:
            super().reset_mode(*wanted, **more)
        if private and any(each in _SECOND_SCREEN for each in numbers):
            self._leave_second()

    def _leave_second(self) -> None:
        if self.first is None:
            return
        lines, cursor, self.margins = self.first
        self.first = None
        self.buffer.clear()
        self.buffer.update(lines)
        hidden, self.cursor = self.cursor.hidden, cursor
        self.cursor.hidden = hidden
        self.cursor.x, self.cursor.y = min(cursor.x, self.columns - 1), min(cursor.y, self.lines - 1)
        self.dirty.update(range(self.lines))

    def reset(self) -> None:
        self.first = None
        super().reset()

    def resize(self, lines: int | None = None, columns: int | None = None) -> None:
        """As large; where lines must go, those below the cursor go first, and those at the top are kept above."""
        lines, columns = lines or self.lines, columns or self.columns
        if (lines, columns) == (self.lines, self.columns):
            return
        self.set_margins()
        if (gone := self.cursor.y - lines + 1) > 0:
            if self.first is None:
                self.above.extend(self._row(y) for y in range(gone))
            moved = {y - gone: line for y, line in self.buffer.items() if y >= gone}
            self.buffer.clear()
            self.buffer.update(moved)
            self.cursor.y -= gone
        for y in [y for y in self.buffer if y >= lines]:
            del self.buffer[y]
        for line in self.buffer.values():
            for x in [x for x in line if x >= columns]:
                del line[x]
        self.lines, self.columns = lines, columns
        self.tabstops = set(range(8, columns, 8))
        self.cursor.x = min(self.cursor.x, columns - 1)
        self._shown = []

    def erase_in_display(self, how: int = 0, *more: Any, **also: Any) -> None:
        if how == 3:
            self.above.clear()
            return
        super().erase_in_display(how, *more, **also)

    def write_process_input(self, data: str) -> None:
        self._answer(data.encode())


class EmulatedStream(pyte.Stream):
    """pyte's, with the sequences for scrolling and repetition, which it does not know."""

    csi = {**pyte.Stream.csi, "S": "scroll_up", "T": "scroll_down", "b": "repeat"}  # noqa: RUF012 - as pyte has it
    events = pyte.Stream.events | {"scroll_up", "scroll_down", "repeat"}
