"""Reads a terminal's picture by its cells: its lines, how sure each is, and the state that its shell is in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from desktop_agent.extras.camera.terminal_text import (
    cell_classifier,
    cursor_search,
    glyph_templates,
    grid_refit,
    grid_search,
)
from desktop_agent.extras.camera.terminal_text.cell_classifier import (
    BLOCK,
    CLEAR,
    FAINT,
    JUNK,
    CellInk,
    CellReading,
)
from desktop_agent.extras.camera.terminal_text.cell_grid import cells_of, straightened
from desktop_agent.extras.camera.terminal_text.glyph_templates import ASCII, BOXES, OTHERS, RARE, GlyphSet
from desktop_agent.extras.camera.terminal_text.grid_search import GridFit
from desktop_agent.extras.camera.terminal_text.shell_prompt import ShellSituation, situation
from desktop_agent.protocol.terminal_state import TerminalState
from desktop_agent.support import optional_package

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_SCORE = 0.6
"""The share of ink that glyphs must explain for a picture to count as a terminal's."""
TRUSTED, DOUBTED = 0.05, 0.12
"""Up to which misfit of a font what is read is trusted, and from which on not at all; between them in proportion."""
_OTHER_GROUND = 60.0
_WORSE = 0.12
"""By how much less of a row's ink glyphs explain than usual where its grid is wrong."""
_WIDER = 1.25
"""How many times as wide as what a grid was fitted to text may be before it is fitted again."""
_SOME = 0.12
"""The share of rows that changed which must be read badly for the grid to be doubted."""
_FITS = 0.8
_HIGH_MARKS, _LOW_MARKS = frozenset(" ~^-–\"'`‘’“”°·"), frozenset(" _.-–,•·●")
"""What the border of the screen is read as above the first line and below the last."""
_KEPT_FITS = 2
_LONGEST_PAUSE = 31
_LEARNED_BLUR = 1.2
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
        self._others: list[GridFit] = []
        self._page: _Page | None = None
        self._patience = Patience()

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
        page = self._page
        if self.fit is None or page is None or page.flat.shape != flat.shape:
            self.forget()
            self.fit = self._found(flat, check)
            if self.fit is None:
                return None
            page = _Page(self.fit, flat)
        else:
            page.look(flat)
        self._page = page
        if page.misread:
            self._fit_again(flat, page, check)
        elif page.outgrown:
            self._take(grid_refit.tightened(grid_refit.matcher_of(flat), self.fit), flat)
        self.misfit = self._page.misfit
        return self._page.lines()

    def _found(self, flat: NDArray[Any], check: Callable[[], None]) -> GridFit | None:
        fonts, hints = glyph_templates.font_files(), self._hints
        fit = grid_search.find_grid(flat, fonts, hints.columns, hints.rows, check, self._learned)
        return fit if fit is not None and fit.score >= LEAST_SCORE else None

    def _take(self, fit: GridFit, flat: NDArray[Any]) -> None:
        """Reads the picture with another fit from now on."""
        self.fit, self._page = fit, _Page(fit, flat)

    def _fit_again(self, flat: NDArray[Any], page: _Page, check: Callable[[], None]) -> None:
        """Finds what fits lines that are read badly: cheaply if that will do, else with a whole search.

        The grid that there is stays where nothing is clearly better, and is tried again later where something is:
        a program may show something else for a moment.
        """
        old = page.fit
        if not self._patience.allows(page.written):
            return
        matcher = grid_refit.matcher_of(flat)
        base = matcher.score(old.grid, old.glyphs, whole=True)
        best = replace(old, score=base + grid_refit.BETTER)
        enough = min(_FITS, old.score - _WORSE / 2)
        for attempt in self._attempts(matcher, flat, page, check):
            if attempt is not None and attempt.score > best.score:
                best = attempt
            if best.score > max(enough, base + grid_refit.BETTER):
                break
        if best.grid is not old.grid:
            self._others = [old, *(each for each in self._others if each is not best)][:_KEPT_FITS]
            self._take(best, flat)
            return
        page.accept()

    def _attempts(
        self, matcher: grid_search.Matcher, flat: NDArray[Any], page: _Page, check: Callable[[], None]
    ) -> Iterator[GridFit | None]:
        for other in self._others:
            yield replace(other, score=matcher.score(other.grid, other.glyphs, whole=True))
        tight = grid_refit.tightened(matcher, page.fit)
        yield tight
        yield grid_refit.spread(matcher, page.fit, page.first, check)
        found = self._found(flat, check)
        yield found and replace(found, score=matcher.score(found.grid, found.glyphs, whole=True))


class Patience:
    """Lets ever fewer attempts through that came to nothing: the first, and then every second, fourth, eighth … one.

    Where another number of rows is written than at the last one there is more to go by, and it begins anew.
    """

    def __init__(self) -> None:
        self._pause, self._left, self._rows = 0, 0, 0

    def allows(self, rows: int) -> bool:
        """May something be tried? Counts as an attempt that came to nothing, if so. `rows` is how many are written."""
        if abs(rows - self._rows) > 1:
            self._pause = self._left = 0
        elif self._left:
            self._left -= 1
            return False
        self._rows = rows
        self._pause = min(2 * self._pause + 1, _LONGEST_PAUSE)
        self._left = self._pause
        return True


class _Page:
    """What is read with one fit. Reads anew only rows whose pixels changed.

    `misread` tells that rows which changed last are not like the fit's glyphs, `outgrown` that there is text far from
    that to which the grid was fitted, `first` is the first row with text.
    """

    def __init__(self, fit: GridFit, flat: NDArray[Any]) -> None:
        import numpy as np

        self.fit, self.flat = fit, flat
        grid = fit.grid
        glyphs = every_glyph(fit)
        seen = cell_classifier.ink_of(cells_of(straightened(flat, grid), grid))
        reading = cell_classifier.classified(seen, cell_classifier.ready(glyphs, RARE))
        # What is surely read in the picture tells how this camera sees the font.
        self.misfit = reading.misfit
        self._templates = cell_classifier.ready(_adapted(glyphs, seen, reading), RARE)
        self._levels = reading.levels
        self._letters = np.array([*self._templates.letters, " "])
        shape = (grid.rows, grid.columns)
        self._text = np.full(shape, " ")
        self._sure, self._ground = np.ones(shape), np.zeros((*shape, 3), np.float32)
        self._block, self._stroke = np.zeros(shape, bool), np.zeros(shape, bool)
        self._like, self._strength = np.ones(grid.rows), np.zeros(grid.rows)
        self._count = np.zeros(grid.rows, int)
        self._put(0, grid.rows, seen)
        text = self._rows()
        self._usual_like = float(np.median(self._like[text])) if len(text) else 1.0
        self._span = (int(text[0]), int(text[-1])) if len(text) else (0, 0)
        self._wide = self._reach(text)
        self.misread = bool((self._like[text] < LEAST_SCORE).mean() > 0.5) if len(text) else False
        self.outgrown = False

    @property
    def first(self) -> int:
        return self._span[0]

    @property
    def written(self) -> int:
        """How many rows have text."""
        return len(self._rows())

    def look(self, flat: NDArray[Any]) -> None:
        """Brings what is read up to date with the picture."""
        import numpy as np

        grid = self.fit.grid
        self.misread = self.outgrown = False
        changed = np.flatnonzero((flat != self.flat).any((1, 2)))
        self.flat = flat
        if not len(changed):
            return
        top, height = grid.place(0, 0)[1], grid.size[1]
        touched = np.zeros(grid.rows + 1, bool)
        for reach in (-0.2, 0.2):
            place = ((changed - top) / height + reach).astype(int)
            touched[place[(place >= 0) & (place < grid.rows)]] = True
        edges = np.flatnonzero(np.diff(np.concatenate([[False], touched]).astype(int)))
        for first, last in zip(edges[::2], edges[1::2], strict=True):
            some = cell_classifier.ink_of(cells_of(straightened(flat, grid, int(first), int(last)), grid))
            self._put(int(first), int(last), some)
        new = np.intersect1d(np.flatnonzero(touched[: grid.rows]), self._rows())
        bad = self._like[new] < self._usual_like - _WORSE
        self.misread = bool(bad.sum() > _SOME * len(new))
        text = self._rows()
        if len(text):
            room = max(2, self._span[1] - self._span[0])
            self.outgrown = bool(text[-1] > self._span[1] + room or text[0] < self._span[0] - room)
            self.outgrown |= self._reach(text) > _WIDER * self._wide

    def accept(self) -> None:
        """Takes rows for what they are read as: nothing fits them better."""
        self.misread = False

    def _rows(self) -> NDArray[Any]:
        import numpy as np

        return np.flatnonzero((self._count >= 2) & ~self._junk())

    def _reach(self, rows: NDArray[Any]) -> int:
        """The number of columns up to the last in which any of these rows has text."""
        import numpy as np

        return int(np.flatnonzero((self._text[rows] != " ").any(0))[-1]) + 1 if len(rows) else 0

    def _junk(self) -> NDArray[Any]:
        """True for rows of which what is read is no text: faint and like no character, or the screen's border."""
        junk = (self._like < JUNK) & (self._strength < FAINT * self._levels.usual)
        for row, marks in ((0, _HIGH_MARKS), (-1, _LOW_MARKS)):
            junk[row] |= self._like[row] < JUNK or marks.issuperset(self._text[row])
        return junk

    def _put(self, first: int, last: int, seen: CellInk) -> None:
        """Reads the cells of rows `first` to `last`."""
        import numpy as np

        grid = self.fit.grid
        reading = cell_classifier.classified(seen, self._templates, self._levels)
        shape = (last - first, grid.columns)
        letters = self._letters[reading.best]
        marks = cursor_search.marks(seen, reading, letters, grid)
        letters[letters == BLOCK] = " "
        self._text[first:last] = letters.reshape(shape)
        self._sure[first:last] = reading.sure.reshape(shape)
        self._ground[first:last] = seen.ground.reshape(*shape, 3)
        self._block[first:last] = marks.block.reshape(shape)
        self._stroke[first:last] = marks.stroke.reshape(shape)
        written = (reading.best >= 0) & ~marks.block
        energy = np.where(written, seen.energy, 0).reshape(shape).sum(1)
        known = np.where(written, seen.energy * reading.explained, 0).reshape(shape).sum(1)
        self._like[first:last] = np.where(energy > 0, known / (energy + 1e-6), 1.0)
        self._strength[first:last] = np.where(written, reading.contrast, 0).reshape(shape).max(1)
        self._count[first:last] = written.reshape(shape).sum(1)

    def lines(self) -> ReadLines:
        """What is read, as lines."""
        import numpy as np

        grid, text, each_sure = self.fit.grid, self._text.copy(), self._sure.copy()
        _without_borders(text, self._ground)
        cursor = cursor_search.find(self._block, self._stroke)
        trust = float(np.clip((DOUBTED - self.misfit) / (DOUBTED - TRUSTED), 0, 1))
        if cursor is not None:  # its block shines into the cells beside it
            row, column = cursor
            if not self._block[row, column]:
                text[row, column] = " "
            beside = slice(max(0, column - 1), column + 2)
            each_sure[row, beside][text[row, beside] == " "] = 1.0
        text[self._junk()] = " "
        lines = tuple(_dashes("".join(row).rstrip()) for row in text)
        sure = each_sure.prod(1) * trust
        return ReadLines(
            lines,
            tuple(float(each) if line else 1.0 for each, line in zip(sure, lines, strict=True)),
            cursor,
            grid.columns,
        )


def _dashes(line: str) -> str:
    """The line with dashes that are part of a drawn line as such, and others as dashes: they look alike."""
    drawn = re.sub(r"(?<=[─├└┌┬┴┼])–|–(?=[─┤┘┐┬┴┼])", "─", line)
    return re.sub(r"(?<![─├└┌┬┴┼])─(?![─┤┘┐┬┴┼])", "–", drawn)


def _without_borders(text: NDArray[Any], ground: NDArray[Any]) -> None:
    """Blanks out low lines that stand alone where the row below has another ground: they are that row's border."""
    import numpy as np

    for row in np.flatnonzero((text[:-1] == "_").any(1)):
        other = np.linalg.norm(ground[row] - ground[row + 1], axis=1) > _OTHER_GROUND
        for run in re.finditer(r"(?:^|(?<= ))_+(?= |$)", "".join(text[row])):
            if other[run.start() : run.end()].all():
                text[row, run.start() : run.end()] = " "


def _lowest(read: ReadLines, told: ShellSituation) -> float:
    """The lowest confidence of the lines that count: from the last command to the prompt, or all without either."""
    first = told.started if told.started is not None else (told.row or 0)
    last = told.row + 1 if told.row is not None else len(read.lines)
    counting = zip(read.lines[first:last], read.confidence[first:last], strict=True)
    return min((sure for line, sure in counting if line), default=0.0)


def every_glyph(fit: GridFit) -> GlyphSet:
    """All characters that are told apart, plain and bold, and a full cell, blurred as the picture is."""
    import numpy as np

    block = np.ones((1, fit.grid.cell[1], fit.grid.cell[0]), np.float32)
    full = GlyphSet("block", (BLOCK,), block).blurred(fit.blur or _LEARNED_BLUR)
    if fit.font is None:
        return glyph_templates.joined((fit.glyphs, full))
    letters = ASCII + OTHERS + "".join(BOXES)
    size = fit.size or round(fit.grid.cell[0] / glyph_templates.advance(fit.font), 2)
    plain = glyph_templates.drawn(fit.font, size, fit.grid.cell, letters)
    return glyph_templates.joined(
        (glyph_templates.joined((plain, glyph_templates.bold(plain))).blurred(fit.blur), full)
    )


def _adapted(glyphs: GlyphSet, seen: CellInk, reading: CellReading) -> GlyphSet:
    """The shapes drawn towards the mean of the cells that surely show them, and clearly: a border may look like a line."""
    import numpy as np

    clear = reading.contrast > CLEAR * reading.levels.usual
    shapes = glyphs.shapes.copy()
    flat = shapes.reshape(len(shapes), -1)
    for number in np.unique(reading.best[reading.best >= 0]):
        shown = (reading.best == number) & (reading.sure > 0.99) & (reading.explained > 0.7)
        shown &= clear & ~reading.turned
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
    from desktop_agent.extras.camera.terminal_text import learned_glyphs

    optional_package.require("cv2", "reading a terminal's picture", "camera")
    lines = known_text.splitlines() if isinstance(known_text, str) else list(known_text)
    fit = grid_search.find_grid(flat, glyph_templates.font_files(), hints.columns, hints.rows)
    return learned_glyphs.learned(flat, fit, lines)
