"""Reads the lines of a terminal from its picture by its cells: one grid and one font, kept between looks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from desktop_agent.support import optional_package
from desktop_agent.vision.terminal_text import cursor_search, glyph_templates, grid_search
from desktop_agent.vision.terminal_text.cell_classifier import (
    CellInk,
    CellReading,
    Templates,
    classified,
    ink_of,
    ready,
    usual_contrast,
)
from desktop_agent.vision.terminal_text.cell_grid import CellGrid, cells_of, straightened
from desktop_agent.vision.terminal_text.glyph_templates import ASCII, BOXES, OTHERS, RARE, GlyphSet
from desktop_agent.vision.terminal_text.grid_search import GridFit

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_SCORE = 0.6
"""The share of ink that glyphs must explain for a picture to count as a terminal's."""
_LEARNED_WEIGHT = 3.0
"""For how many cells the font's own shape counts beside those seen."""


@dataclass(frozen=True)
class GridHints:
    """What is known of a terminal beforehand: its `columns` and `rows`, 0 for unknown."""

    columns: int = 0
    rows: int = 0


@dataclass(frozen=True)
class ReadLines:
    """Lines of a terminal from top to bottom, all rows of its grid, without blanks at their ends.

    `confidence` has for each the probability that all its characters are right; `cursor` is (row, column) or None;
    `columns` how many there are; `score` says from 0 to 1 how well the glyphs fit. `reversed` has the rows that stand in
    reverse video.
    """

    lines: tuple[str, ...]
    confidence: tuple[float, ...]
    cursor: tuple[int, int] | None
    columns: int
    score: float


class TerminalReader:
    """Reads pictures of one terminal. Keeps its grid and font, and reads anew only rows whose pixels changed."""

    def __init__(self, hints: GridHints = GridHints(), learned: GlyphSet | None = None) -> None:
        optional_package.require("cv2", "reading a terminal's picture", "camera")
        self._hints = hints
        self._learned = learned
        self.fit: GridFit | None = None
        self._templates: Templates | None = None
        self._last: NDArray[Any] | None = None

    def forget(self) -> None:
        """Look for grid and font anew at the next picture: the camera or the terminal was moved."""
        self.fit = self._templates = self._last = None

    def read(self, flat: NDArray[Any], check: Callable[[], None] = lambda: None) -> ReadLines | None:
        """The lines in a picture (BGR) of the screen; None where it shows no terminal that can be read by cells.

        `check` is called between steps and may raise.
        """
        if self.fit is None or self.fit.score < LEAST_SCORE:
            self.fit = grid_search.find_grid(
                flat, glyph_templates.font_files(), self._hints.columns, self._hints.rows, check=check
            )
            self._templates = None
        if self.fit is None or self.fit.score < LEAST_SCORE:
            return None
        page = straightened(flat, self.fit.grid)
        seen = ink_of(cells_of(page, self.fit.grid))
        if self._templates is None:
            self._templates = self._made(self.fit, seen)
        return _lines(self.fit, seen, self._templates, classified(seen, self._templates))

    def _made(self, fit: GridFit, seen: CellInk) -> Templates:
        """All characters of the font as this camera sees them: what is surely read in the picture improves them."""
        glyphs = every_glyph(fit)
        first = ready(glyphs, RARE)
        return ready(_adapted(glyphs, seen, first, classified(seen, first)), RARE)


def every_glyph(fit: GridFit) -> GlyphSet:
    """All characters that are told apart, plain and bold, blurred as the picture is."""
    if fit.font is None:
        return fit.glyphs.blurred(fit.blur)
    letters = ASCII + OTHERS + "".join(BOXES)
    files = glyph_templates.font_files()
    plain = glyph_templates.drawn(fit.font, fit.size or fit.grid.cell[0] / glyph_templates.advance(fit.font), fit.grid.cell, letters)
    del files
    return glyph_templates.joined((plain, glyph_templates.bold(plain))).blurred(fit.blur)


def _adapted(glyphs: GlyphSet, seen: CellInk, templates: Templates, reading: CellReading) -> GlyphSet:
    """The shapes drawn towards the mean of the cells that surely show them."""
    import numpy as np

    shapes = glyphs.shapes.copy()
    flat = shapes.reshape(len(shapes), -1)
    for number in np.unique(reading.best[reading.best >= 0]):
        shown = np.flatnonzero((reading.best == number) & (reading.sure > 0.99) & (reading.explained > 0.7))
        if not len(shown):
            continue
        mean = (seen.ink[shown] / reading.contrast[shown, None]).mean(0)
        own = flat[number] - flat[number].mean()
        share = len(shown) / (len(shown) + _LEARNED_WEIGHT)
        flat[number] = own * (1 - share) + mean * share
    return replace(glyphs, shapes=shapes)


def _lines(fit: GridFit, seen: CellInk, templates: Templates, reading: CellReading) -> ReadLines:
    grid = fit.grid
    letters = [templates.letters[each] if each >= 0 else " " for each in reading.best]
    cursor = cursor_search.find(seen, reading, letters, grid)
    lines, confidence = [], []
    for row in range(grid.rows):
        part = slice(row * grid.columns, (row + 1) * grid.columns)
        text = "".join(letters[part]).rstrip()
        lines.append(text)
        sure = reading.sure[part]
        confidence.append(float(sure.prod()))
    return ReadLines(tuple(lines), tuple(confidence), cursor, grid.columns, fit.score)
