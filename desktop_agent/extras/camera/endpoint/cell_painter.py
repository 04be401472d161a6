"""Paints the cells of a terminal, each glyph at the place of its own column whatever the font says of its width."""

from __future__ import annotations

import math
from itertools import groupby
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QFontInfo,
    QFontMetricsF,
    QGlyphRun,
    QPainter,
    QRawFont,
)

from desktop_agent.extras.camera.endpoint.terminal_emulator import Row
from desktop_agent.extras.camera.endpoint.terminal_theme import TerminalTheme
from desktop_agent.support import resources

if TYPE_CHECKING:
    from pyte.screens import Char

SMALLEST_FONT, LARGEST_FONT = 6, 96
_SHIPPED = ("fonts", "DejaVuSansMono.ttf")


def terminal_font(family: str, pixels: int) -> QFont:
    """A font with all letters alike in width: the one asked for, else DejaVu Sans Mono, of which this program brings a part."""
    for wanted in (family, "DejaVu Sans Mono"):
        if wanted in QFontDatabase.families():
            break
    else:
        number = QFontDatabase.addApplicationFont(str(resources.path(*_SHIPPED)))
        found = QFontDatabase.applicationFontFamilies(number) if number >= 0 else []
        wanted = found[0] if found else QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
    font = QFont(wanted)
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setPixelSize(max(SMALLEST_FONT, min(pixels, LARGEST_FONT)))
    font.setHintingPreference(QFont.HintingPreference.PreferFullHinting)
    font.setStyleStrategy(QFont.StyleStrategy.PreferAntialias)
    return font


class _Face:
    """One style of the font, with the glyphs of the characters seen so far."""

    def __init__(self, font: QFont) -> None:
        self.font = font
        self.raw = QRawFont.fromFont(font)
        self._glyphs: dict[str, int] = {}

    def glyph(self, character: str) -> int:
        """Its number in the font, 0 where that has none for it."""
        found = self._glyphs.get(character)
        if found is None:
            if len(self._glyphs) > 5_000:
                self._glyphs.clear()
            numbers = self.raw.glyphIndexesForString(character)
            found = self._glyphs[character] = numbers[0] if len(numbers) == 1 else 0
        return found


class CellPainter:
    """The font, and the size of a cell in pixels: whole ones, so that every column and row begins at one."""

    def __init__(self, font: QFont, theme: TerminalTheme) -> None:
        self._theme = theme
        metrics = QFontMetricsF(font)
        self.width = max(1, round(metrics.horizontalAdvance("M")))
        self.height = max(1, math.ceil(metrics.ascent() + metrics.descent()))
        self._baseline = round(metrics.ascent())
        self._line = max(1, round(metrics.lineWidth()))
        self._base = font
        self._faces: dict[tuple[bool, bool], _Face] = {}
        self._places: list[QPointF] = []
        self.family = QFontInfo(font).family()

    def paint(self, painter: QPainter, x: int, y: int, row: Row) -> None:
        """Paint a row whose first cell has its corner at x and y."""
        while len(self._places) < len(row):
            self._places.append(QPointF(len(self._places) * self.width, 0))
        column = 0
        for style, cells in groupby(row, key=_style):
            found = list(cells)
            self._run(painter, x, y, column, found, style)
            column += len(found)

    def paint_cursor(self, painter: QPainter, x: int, y: int, row: Row, column: int) -> None:
        """Paint the cell at the cursor as a block, with its character in it."""
        cell = row[column]
        if not cell.data and column:
            column, cell = column - 1, row[column - 1]
        wide = column + 1 < len(row) and not row[column + 1].data
        back = QColor(self._theme.colours.cursor)
        painter.fillRect(x + column * self.width, y, self.width * (2 if wide else 1), self.height, back)
        self._glyphs(painter, x, y, column, [cell], self._face(cell), QColor(self._theme.colours.background))

    def _run(self, painter: QPainter, x: int, y: int, column: int, cells: list[Char], style: Char) -> None:
        """Cells of one style."""
        front, back = self._theme.pair(style.fg, style.bg, style.reverse)
        left, width = x + column * self.width, len(cells) * self.width
        if style.reverse or style.bg != "default":
            painter.fillRect(left, y, width, self.height, QColor(*back))
        colour = QColor(*front)
        self._glyphs(painter, x, y, column, cells, self._face(style), colour)
        if style.underscore:
            painter.fillRect(
                left,
                y + min(self._baseline + 2 * self._line, self.height - self._line),
                width,
                self._line,
                colour,
            )
        if style.strikethrough:
            painter.fillRect(left, y + round(self._baseline * 0.68), width, self._line, colour)

    def _glyphs(
        self, painter: QPainter, x: int, y: int, column: int, cells: list[Char], face: _Face, colour: QColor
    ) -> None:
        numbers, places = list[int](), list[QPointF]()
        painter.setPen(colour)
        for place, cell in enumerate(cells, column):
            text = cell.data
            if text in (" ", ""):
                continue
            if len(text) == 1 and (number := face.glyph(text)):
                numbers.append(number)
                places.append(self._places[place])
                continue
            wide = place + 1 - column < len(cells) and not cells[place + 1 - column].data
            area = QRectF(x + place * self.width, y, self.width * (2 if wide else 1), self.height)
            painter.setFont(face.font)
            painter.save()
            painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
            painter.drawText(QPointF(area.left(), y + self._baseline), text)
            painter.restore()
        if numbers:
            run = QGlyphRun()
            run.setRawFont(face.raw)
            run.setGlyphIndexes(numbers)
            run.setPositions(places)
            painter.drawGlyphRun(QPointF(x, y + self._baseline), run)

    def _face(self, style: Char) -> _Face:
        key = (style.bold, style.italics)
        found = self._faces.get(key)
        if found is None:
            font = QFont(self._base)
            font.setBold(style.bold)
            font.setItalic(style.italics)
            found = self._faces[key] = _Face(font)
        return found


def _style(cell: Char) -> Char:
    return cell._replace(data="")
