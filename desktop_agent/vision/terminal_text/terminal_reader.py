"""Reads a terminal's picture by its cells: its lines, how sure each is, and the state that its shell is in."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from desktop_agent.protocol.terminal_state import TerminalState
from desktop_agent.support import optional_package
from desktop_agent.vision.terminal_text import cell_classifier, cursor_search, glyph_templates, grid_search
from desktop_agent.vision.terminal_text.cell_classifier import CellInk, CellReading, Templates
from desktop_agent.vision.terminal_text.cell_grid import CellGrid, cells_of, straightened
from desktop_agent.vision.terminal_text.glyph_templates import ASCII, BOXES, OTHERS, RARE, GlyphSet
from desktop_agent.vision.terminal_text.grid_search import GridFit
from desktop_agent.vision.terminal_text.shell_prompt import ShellSituation, situation

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_SCORE = 0.6
"""The share of ink that glyphs must explain for a picture to count as a terminal's."""
TRUSTED, DOUBTED = 0.09, 0.22
"""Up to which misfit of a font what is read is trusted, and from which on not at all; between them in proportion."""
_OTHER_GROUND = 60.0
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
    `columns` how many there are.
    """

    lines: tuple[str, ...]
    confidence: tuple[float, ...]
    cursor: tuple[int, int] | None
    columns: int


def read_terminal(
    flat: NDArray[Any], hints: GridHints = GridHints(), learned: GlyphSet | None = None
) -> TerminalState:
    """The state of the terminal in one picture (BGR, rows by columns) of a screen; see `TerminalReader.state`."""
    return TerminalReader(hints, learned).state(flat)


class TerminalReader:
    """Reads pictures of one terminal. Keeps its grid and font, and reads anew only rows whose pixels changed.

    `fit` is what was found, `misfit` the share of a usual character that the font does not explain.
    """

    def __init__(self, hints: GridHints = GridHints(), learned: GlyphSet | None = None) -> None:
        """`learned` glyphs are used in place of a font. Raises ConfigError where the package cv2 is missing."""
        optional_package.require("cv2", "reading a terminal's picture", "camera")
        self._hints, self._learned = hints, learned
        self.forget()

    def forget(self) -> None:
        """Look for grid and font anew at the next picture: the camera or the terminal was moved."""
        self.fit: GridFit | None = None
        self.misfit = 1.0
        self._templates: Templates | None = None
        self._flat: NDArray[Any] | None = None
        self._seen: CellInk | None = None
        self._levels = (0.0, 0.0)

    def state(
        self, flat: NDArray[Any], frame: int = 0, time: float = 0.0, check: Callable[[], None] = lambda: None
    ) -> TerminalState:
        """What the terminal shows; without content and with confidence 0 where none can be read by its cells.

        `frame` and `time` are passed on. `check` is called between steps and may raise.
        """
        read = self.read(flat, check)
        if read is None:
            return TerminalState((), frame=frame, time=time, reader="glyphs")
        told = situation(read.lines, read.cursor, read.columns)
        count = max((number + 1 for number, line in enumerate(read.lines) if line), default=0)
        return TerminalState(
            read.lines[:count],
            told.prompt,
            read.cursor,
            told.activity,
            told.error,
            _lowest(read, told),
            frame,
            time,
            "glyphs",
        )

    def read(self, flat: NDArray[Any], check: Callable[[], None] = lambda: None) -> ReadLines | None:
        """The lines in a picture (BGR) of the screen; None where it shows no terminal that can be read by cells."""
        if self.fit is None or self._flat is None or self._flat.shape != flat.shape:
            self.forget()
            self.fit = self._found(flat, check)
        if self.fit is None:
            return None
        self._look(self.fit, flat)
        assert self._seen is not None  # noqa: S101 - just looked
        if self._templates is None:
            self._make(self.fit, self._seen)
        assert self._templates is not None  # noqa: S101 - just made
        reading = cell_classifier.classified(self._seen, self._templates, *self._levels)
        return self._lines(self.fit, self._seen, self._templates, reading)

    def _found(self, flat: NDArray[Any], check: Callable[[], None]) -> GridFit | None:
        fonts, hints = glyph_templates.font_files(), self._hints
        fit = grid_search.find_grid(flat, fonts, hints.columns, hints.rows, check)
        if fit is not None and self._learned is not None:
            fit = grid_search.with_learned(flat, fit, self._learned)
        return fit if fit is not None and fit.score >= LEAST_SCORE else None

    def _look(self, fit: GridFit, flat: NDArray[Any]) -> None:
        """Brings the ink of the cells up to date with the picture."""
        import numpy as np

        grid = fit.grid
        if self._seen is None or self._flat is None:
            self._seen = cell_classifier.ink_of(cells_of(straightened(flat, grid), grid))
        else:
            changed = np.flatnonzero((flat != self._flat).any((1, 2)))
            if len(changed):
                top, height = grid.place(0, 0)[1], grid.size[1]
                first = max(0, int((changed[0] - top) / height - 0.2))
                last = min(grid.rows, int((changed[-1] - top) / height + 0.2) + 1)
                if last > first:
                    some = cell_classifier.ink_of(cells_of(straightened(flat, grid, first, last), grid))
                    self._seen = self._seen.with_part(first * grid.columns, some)
        self._flat = flat

    def _make(self, fit: GridFit, seen: CellInk) -> None:
        """All characters of the font as this camera sees them: what is surely read in the picture improves them."""
        glyphs = every_glyph(fit)
        first = cell_classifier.ready(glyphs, RARE)
        reading = cell_classifier.classified(seen, first)
        self.misfit = reading.misfit
        self._templates = cell_classifier.ready(_adapted(glyphs, seen, reading), RARE)
        self._levels = (reading.usual, reading.noise)

    def _lines(self, fit: GridFit, seen: CellInk, templates: Templates, reading: CellReading) -> ReadLines:
        import numpy as np

        grid = fit.grid
        letters = [templates.letters[each] if each >= 0 else " " for each in reading.best]
        _without_borders(letters, seen, fit.grid)
        cursor = cursor_search.find(seen, reading, letters, grid)
        trust = float(np.clip((DOUBTED - self.misfit) / (DOUBTED - TRUSTED), 0, 1))
        each_sure = reading.sure.reshape(grid.rows, grid.columns).copy()
        if cursor is not None:  # its block shines into the cells beside it
            row, column = cursor
            beside = slice(max(0, column - 1), column + 2)
            blank = np.array([each == " " for each in letters]).reshape(each_sure.shape)[row, beside]
            each_sure[row, beside][blank] = 1.0
        sure = each_sure.prod(1)
        lines = tuple(
            _dashes("".join(letters[row * grid.columns : (row + 1) * grid.columns]).rstrip())
            for row in range(grid.rows)
        )
        return ReadLines(
            lines,
            tuple(float(each) * trust if line else 1.0 for each, line in zip(sure, lines, strict=True)),
            cursor,
            grid.columns,
        )


def _dashes(line: str) -> str:
    """The line with dashes that are part of a drawn line as such, and others as dashes: they look alike."""
    drawn = re.sub(r"(?<=[─├└┌┬┴┼])–|–(?=[─┤┘┐┬┴┼])", "─", line)
    return re.sub(r"(?<![─├└┌┬┴┼])─(?![─┤┘┐┬┴┼])", "–", drawn)


def _without_borders(letters: list[str], seen: CellInk, grid: CellGrid) -> None:
    """Blanks out low lines that stand alone where the row below has another ground: they are that row's border."""
    import numpy as np

    ground = seen.ground.reshape(grid.rows, grid.columns, 3)
    other = np.zeros((grid.rows, grid.columns), bool)
    other[:-1] = np.linalg.norm(ground[:-1] - ground[1:], axis=2) > _OTHER_GROUND
    for row in range(grid.rows):
        start = row * grid.columns
        for run in re.finditer(r"(?:^|(?<= ))_+(?= |$)", "".join(letters[start : start + grid.columns])):
            if other[row, run.start() : run.end()].all():
                letters[start + run.start() : start + run.end()] = " " * len(run[0])


def _lowest(read: ReadLines, told: ShellSituation) -> float:
    """The lowest confidence of the lines with anything in them."""
    del told
    return min((sure for line, sure in zip(read.lines, read.confidence, strict=True) if line), default=0.0)


def every_glyph(fit: GridFit) -> GlyphSet:
    """All characters that are told apart, plain and bold, blurred as the picture is."""
    if fit.font is None:
        return fit.glyphs
    letters = ASCII + OTHERS + "".join(BOXES)
    size = fit.size or round(fit.grid.cell[0] / glyph_templates.advance(fit.font), 2)
    plain = glyph_templates.drawn(fit.font, size, fit.grid.cell, letters)
    return glyph_templates.joined((plain, glyph_templates.bold(plain))).blurred(fit.blur)


def _adapted(glyphs: GlyphSet, seen: CellInk, reading: CellReading) -> GlyphSet:
    """The shapes drawn towards the mean of the cells that surely show them."""
    import numpy as np

    shapes = glyphs.shapes.copy()
    flat = shapes.reshape(len(shapes), -1)
    for number in np.unique(reading.best[reading.best >= 0]):
        shown = (reading.best == number) & (reading.sure > 0.99) & (reading.explained > 0.7) & ~reading.turned
        count = int(shown.sum())
        if not count:
            continue
        mean = (seen.ink[shown] / reading.contrast[shown, None]).mean(0)
        share = count / (count + _LEARNED_WEIGHT)
        flat[number] = (flat[number] - flat[number].mean()) * (1 - share) + mean * share
    return replace(glyphs, shapes=shapes)


def learn_glyphs(
    flat: NDArray[Any], known_text: str | Sequence[str], hints: GridHints = GridHints()
) -> GlyphSet:
    """The glyphs of a terminal's own font as the camera sees them, from a picture of a text that is known.

    `known_text` is what the screen shows from its first row on, wrapped as there; each character should stand in it
    several times. Raises Refused where the picture's cells cannot be found or show another text.
    """
    from desktop_agent.vision.terminal_text import learned_glyphs

    optional_package.require("cv2", "reading a terminal's picture", "camera")
    lines = known_text.splitlines() if isinstance(known_text, str) else list(known_text)
    fit = grid_search.find_grid(flat, glyph_templates.font_files(), hints.columns, hints.rows)
    return learned_glyphs.learned(flat, fit, lines)
