"""Finds a terminal's cells in a picture and the font that its characters are in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_agent.extras.camera.terminal_text import cell_grid, few_lines, glyph_templates
from desktop_agent.extras.camera.terminal_text.cell_grid import CellGrid, cells_of, page_of, straightened
from desktop_agent.extras.camera.terminal_text.glyph_templates import GlyphSet

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLURS = (0.5, 0.9, 1.3, 1.8, 2.4)
"""Blurs of a lens that are tried, in pixels of the screen."""
_FIRST_BLUR = 1.2
_CELLS = 350
"""Cells with ink that are compared while searching."""
_SEARCHED_WIDTH, _WORTH_SCALING = 9.0, 0.75
"""Pixels of a cell's width that a search needs, and the scale from which on it is done smaller."""
_SURELY = 0.85
"""A score beside which no other grid needs to be tried."""
_OTHER_FONT = 0.02
"""By how much more a font must explain than one that is tried before it."""
_BLOCK, _STRIP = 160, 3
_BAND = 240
"""Pixels of the picture's height in which grids and fonts are compared."""
_DOUBTFUL, _HOPELESS, _PERIODS = 0.55, 0.3, 2
"""Scores below which other grids are looked for, and below which there is no terminal; how many distances of lines are tried then."""
_FEW_ROWS, _MANY = 4, 70
_REFINED = 3
_LEAST_INK = 14.0


@dataclass(frozen=True)
class GridFit:
    """A grid, the sharp glyphs that its cells are like and the blur they are seen with.

    `score` is the share of the ink's energy that they explain; `font` the file, None for learned glyphs.
    """

    grid: CellGrid
    glyphs: GlyphSet
    blur: float
    score: float
    font: Path | None = None
    size: float = 0.0


def plain_ink(picture: NDArray[Any]) -> NDArray[Any]:
    """How far each pixel is from the colour behind it, in shades, wherever the light falls; float32."""
    import cv2
    import numpy as np

    height, width = picture.shape[:2]
    # Strips are flat, for a line in reverse video has another ground than those above and below.
    down, across = max(1, height // _STRIP), max(1, round(width / _BLOCK))
    block = width // across
    some = picture[: down * _STRIP, : block * across]
    strips = (
        some.reshape(down, _STRIP, across, -1, 3)[:, :, :, ::3]
        .transpose(0, 2, 1, 3, 4)
        .reshape(down, across, -1, 3)
    )
    ground = np.median(strips, axis=2).astype(np.float32)
    # The strokes of a line of text may cover most of a strip; those of a bar lie one upon the other.
    ground = cv2.medianBlur(ground, 5)
    wide = cv2.resize(ground, (width, down), interpolation=cv2.INTER_LINEAR)
    behind = cv2.resize(wide, (width, height), interpolation=cv2.INTER_NEAREST)
    ink: NDArray[Any] = np.sqrt(np.square(picture.astype(np.float32) - behind).sum(2))
    return ink


class Matcher:
    """Compares cells of one picture with glyphs while a grid is searched."""

    def __init__(self, ink: NDArray[Any], profile: NDArray[Any]) -> None:
        """`profile` says how much there is in each row of the picture."""
        import numpy as np

        self.ink = ink
        sums = np.concatenate([[0.0], np.cumsum(profile)])
        height = min(len(profile), _BAND, max(60, int(2.5 * (profile > 0.04 * profile.max()).sum())))
        starts = np.arange(len(profile) - height + 1)
        best = int(starts[(sums[starts + height] - sums[starts]).argmax()])
        self._band = best, best + height

    def _rows(self, grid: CellGrid) -> tuple[int, int]:
        """The grid's rows in the part of the picture that has most in it."""
        top, height = grid.place(0, 0)[1], grid.size[1]
        first = min(grid.rows - 1, max(0, int((self._band[0] - top) / height)))
        return first, max(first + 1, min(grid.rows, int((self._band[1] - top) / height + 1)))

    def cells(self, grid: CellGrid, part: bool = False) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """The straightened ink, its cells without their means, and the numbers of those that have ink.

        With `part` only some rows of them.
        """
        import numpy as np

        page = straightened(self.ink, grid, *(self._rows(grid) if part else ()))
        flat = cells_of(page, grid)
        flat = flat.reshape(len(flat), -1)
        flat = flat - flat.mean(1, keepdims=True)
        deviation = flat.std(1)
        floor = float(np.percentile(deviation, 20))
        chosen = np.flatnonzero(deviation > max(_LEAST_INK / 2, 2.0 * floor if floor < 20 else floor))
        if len(chosen) > _CELLS:
            chosen = chosen[np.linspace(0, len(chosen) - 1, _CELLS).astype(int)]
        return page, flat, chosen

    def score(self, grid: CellGrid, glyphs: GlyphSet, whole: bool = False) -> float:
        """The share of energy that the best glyph of each cell explains, 0 to 1; 0 without ink.

        It is of some rows, or with `whole` of all.
        """
        import numpy as np

        _, flat, chosen = self.cells(grid, part=not whole)
        if not len(chosen):
            return 0.0
        some = flat[chosen]
        fit = np.maximum(some @ _unit(glyphs).T, 0).max(1)
        return float(np.square(fit).sum() / (np.square(some).sum() + 1e-6))

    def refined(self, grid: CellGrid, glyphs: GlyphSet, terms: Sequence[int]) -> CellGrid:
        """The grid moved onto the glyphs that its cells are most like, in one step for each of `terms`."""
        import numpy as np

        unit = _unit(glyphs)
        for count in terms:
            _, flat, chosen = self.cells(grid, part=count == 1)
            if not len(chosen):
                return grid
            drawn = np.zeros_like(flat)
            fit = flat[chosen] @ unit.T
            best = fit.argmax(1)
            drawn[chosen] = unit[best] * np.maximum(fit[np.arange(len(best)), best], 0)[:, None]
            seen = np.zeros_like(flat)
            seen[chosen] = flat[chosen]
            shape = (-1, grid.cell[1], grid.cell[0])
            grid = cell_grid.moved(
                grid, page_of(drawn.reshape(shape), grid), page_of(seen.reshape(shape), grid), count
            )
        return grid


def _unit(glyphs: GlyphSet) -> NDArray[Any]:
    import numpy as np

    flat = glyphs.shapes.reshape(len(glyphs.letters), -1)
    flat = flat - flat.mean(1, keepdims=True)
    unit: NDArray[Any] = (flat / (np.linalg.norm(flat, axis=1, keepdims=True) + 1e-6)).astype(np.float32)
    return unit


def find_grid(
    picture: NDArray[Any],
    fonts: Sequence[Path],
    columns: int = 0,
    rows: int = 0,
    check: Callable[[], None] = lambda: None,
    learned: GlyphSet | None = None,
) -> GridFit | None:
    """The best fitting grid and font; None where nothing is regular enough to be a terminal.

    With `learned` glyphs these are compared in place of fonts. `columns` and `rows` are hints, 0 for unknown. `check` is called between steps and may raise.
    """
    import cv2

    ink, profile = plain_ink(picture), cell_grid.edges(picture, upright=True).sum(1)
    strength = cell_grid.edges(picture)
    runs = _text_lines(strength.sum(1))
    few = len(runs) < _FEW_ROWS
    # Lines of small characters run into each other once blurred: then few of them may be many.
    many = not few or sum(end - start for start, end in runs) > _MANY
    grids = list(_candidates(profile, strength.sum(0), fonts[0], columns, rows)) if many else []
    if runs and (few or not grids):
        grids += few_lines.candidates(ink, runs, fonts[0], _FIRST_BLUR, rows)
    if not grids:
        return None
    # Large characters are as well told apart where they are smaller, and four times as fast.
    scale = min(1.0, _SEARCHED_WIDTH / min(each.size[0] for each in grids[:1]))
    little, low = ink, profile
    if scale < _WORTH_SCALING:
        little = cv2.resize(ink, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        scale = little.shape[1] / ink.shape[1]
        low = cv2.resize(profile[:, None], (1, little.shape[0]), interpolation=cv2.INTER_AREA)[:, 0]
    else:
        scale = 1.0
    coarse = Matcher(little, low)
    best = _coarse(
        coarse,
        [cell_grid.scaled(each, scale) for each in grids],
        fonts,
        max(0.7, _FIRST_BLUR * scale),
        check,
        learned,
    )
    if best.score < _DOUBTFUL and many:
        # Where columns show no period, the characters of the densest line tell the cells' width.
        grids = list(_from_one_line(ink, profile, fonts[0]))
        if grids:
            scaled = [cell_grid.scaled(each, scale) for each in grids]
            other = _coarse(coarse, scaled, fonts, max(0.7, _FIRST_BLUR * scale), check, learned)
            best = max(best, other, key=lambda each: each.score)
    if best.score < _HOPELESS:
        return best
    grid = cell_grid.scaled(best.grid, 1 / scale)
    if learned is not None:
        return with_learned(picture, replace(best, grid=grid), learned)
    glyphs = _glyphs(best.font or fonts[0], grid.cell).blurred(_FIRST_BLUR)
    return sized(Matcher(ink, profile), replace(best, grid=grid, glyphs=glyphs, blur=_FIRST_BLUR), check)


def _coarse(
    matcher: Matcher,
    grids: Sequence[CellGrid],
    fonts: Sequence[Path],
    blur: float,
    check: Callable[[], None],
    learned: GlyphSet | None,
) -> GridFit:
    """The best of the grids, moved onto the text, with the font that is most like it."""
    tried = []

    def look(grid: CellGrid) -> GlyphSet:
        if learned is None:
            return _glyphs(fonts[0], grid.cell).blurred(blur)
        return recut(GridFit(grid, learned, 0.0, 0.0), grid).glyphs

    for grid in grids:
        check()
        tried.append((matcher.score(grid, look(grid)), grid))
    tried.sort(key=lambda each: -each[0])
    found = []
    for _, grid in _apart(tried):
        check()
        glyphs = look(grid)
        better = matcher.refined(grid, glyphs, (1, 1, 3))
        found.append(GridFit(better, glyphs, blur, matcher.score(better, glyphs), fonts[0]))
        if found[-1].score > _SURELY:
            break
    best = max(found, key=lambda each: each.score)
    for font in fonts[1:] if learned is None else ():
        check()
        other = _better(matcher, best, font, 0.0, blur, (1,))
        best = other if other.score > best.score + _OTHER_FONT else best
    return replace(best, grid=matcher.refined(best.grid, best.glyphs, (3, 6)))


def _apart(tried: Sequence[tuple[float, CellGrid]]) -> list[tuple[float, CellGrid]]:
    """The best few, no two of which are nearly the same."""
    kept: list[tuple[float, CellGrid]] = []
    for score, grid in tried:
        near = any(
            other.cell == grid.cell
            and abs(other.down[0] % grid.size[1] - grid.down[0] % grid.size[1]) < 1.5
            and abs(other.across[0] % grid.size[0] - grid.across[0] % grid.size[0]) < 1.5
            for _, other in kept
        )
        if not near:
            kept.append((score, grid))
        if len(kept) == _REFINED:
            break
    return kept


def _glyphs(font: Path, cell: tuple[int, int], size: float = 0.0) -> GlyphSet:
    return glyph_templates.drawn(font, size or round(cell[0] / glyph_templates.advance(font), 2), cell)


def _candidates(
    down: NDArray[Any],
    across: NDArray[Any],
    font: Path,
    columns: int,
    rows: int,
) -> Iterator[CellGrid]:
    """Grids that the profiles of a picture's edges speak for, each at a few places."""
    height, width = len(down), len(across)
    widths = cell_grid.periods(across, cell_grid.SMALLEST[0], cell_grid.LARGEST[0], 12)
    heights = cell_grid.periods(down, cell_grid.SMALLEST[1], cell_grid.LARGEST[1])
    if columns:
        widths = [each for each in widths if abs(each[0] * columns / width - 1) < 0.25] or [
            (width / columns, 0.0, 0.0)
        ]
    if rows:
        heights = [each for each in heights if abs(each[0] * rows / height - 1) < 0.25] or [
            (height / rows, 0.0, 0.0)
        ]
    pairs = [(w, h) for w in widths[:4] for h in heights if cell_grid.fitting(w[0], h[0])]
    pairs.sort(key=lambda each: -each[0][2] * each[1][2])
    for w, h in pairs[:4]:
        glyphs = _glyphs(font, (max(4, round(w[0])), max(6, round(h[0]))))
        x, y = w[1] - _centre(glyphs, 2) * w[0], h[1] - _centre(glyphs, 1) * h[0]
        for step in (-0.2, -0.1, 0.0, 0.1, 0.2):
            yield cell_grid.over_picture(x, y + step * h[0], w[0], h[0], (width, height))


def _from_one_line(ink: NDArray[Any], profile: NDArray[Any], font: Path) -> Iterator[CellGrid]:
    """Grids that begin with one line, in each of the likeliest distances of lines."""
    for period, phase, _ in cell_grid.periods(profile, cell_grid.SMALLEST[1], cell_grid.LARGEST[1], _PERIODS):
        places = [phase + number * period for number in range(int((len(profile) - phase) / period))]
        lines = [(max(0, round(at - 0.42 * period)), round(at + 0.42 * period)) for at in places]
        lines = [each for each in lines if each[1] - each[0] > 4]
        if lines:
            densest = max(lines, key=lambda each: float(ink[each[0] : each[1]].sum()))
            yield from few_lines.candidates(ink, [densest], font, _FIRST_BLUR, known=period)


def _centre(glyphs: GlyphSet, axis: int) -> float:
    """Where in a cell letters are densest, as a share of its size; taken as `periods` takes it."""
    import numpy as np

    lower = [glyphs.letters.index(each) for each in "etaoinshrdlu0123/-."]
    ink = np.abs(np.diff(glyphs.shapes[lower], axis=2, prepend=0)) + np.abs(
        np.diff(glyphs.shapes[lower], axis=1, prepend=0)
    )
    profile = ink.sum((0, 2 if axis == 1 else 1))
    count = len(profile)
    answer = (profile * np.exp(-2j * np.pi * (np.arange(count) + 0.5) / count)).sum()
    return float((-np.angle(answer) / (2 * np.pi)) % 1)


def _text_lines(profile: NDArray[Any]) -> list[tuple[int, int]]:
    """Where lines of text begin and end, in pixels from the top."""
    import numpy as np

    there = np.concatenate([[False], profile > 0.04 * profile.max(), [False]])
    changes = np.flatnonzero(there[1:] != there[:-1])
    return [(int(a), int(b)) for a, b in zip(changes[::2], changes[1::2], strict=True) if b - a > 4]


def sized(matcher: Matcher, fit: GridFit, check: Callable[[], None]) -> GridFit:
    """The fit with the size of its font and the blur that explain most."""
    font = fit.font
    assert font is not None  # noqa: S101 - what was searched has one
    grid = matcher.refined(fit.grid, fit.glyphs, (1,))
    best = replace(fit, grid=grid, score=matcher.score(grid, fit.glyphs))
    exact = best.grid.cell[0] / glyph_templates.advance(font)
    sizes = {float(int(exact)), float(int(exact) + 1), float(round(exact * 0.94)), float(round(exact * 1.06))}
    for blur in BLURS:
        check()
        best = _better(matcher, best, font, best.size, blur, ())
    for size in sorted(sizes):
        check()
        best = _better(matcher, best, font, size, best.blur, (1,))
    return replace(best, grid=matcher.refined(best.grid, best.glyphs, (6, 6)))


def _better(
    matcher: Matcher, fit: GridFit, font: Path, size: float, blur: float, terms: Sequence[int]
) -> GridFit:
    glyphs = _glyphs(font, fit.grid.cell, size).blurred(blur)
    grid = matcher.refined(fit.grid, glyphs, terms) if terms else fit.grid
    score = matcher.score(grid, glyphs)
    return GridFit(grid, glyphs, blur, score, font, size) if score > fit.score + 1e-4 else fit


def recut(fit: GridFit, grid: CellGrid) -> GridFit:
    """The fit with another grid, its glyphs in cells of that grid's size; a line stays in the middle of its cell."""
    import cv2
    import numpy as np

    glyphs = fit.glyphs
    if grid.cell == glyphs.cell:
        return replace(fit, grid=grid)
    if fit.font is not None:
        return replace(fit, grid=grid, glyphs=_glyphs(fit.font, grid.cell, fit.size).blurred(fit.blur))
    wide, high = grid.cell
    shapes = glyphs.shapes
    if wide != glyphs.cell[0]:
        size = wide, max(4, round(glyphs.cell[1] * wide / glyphs.cell[0]))
        shapes = np.stack([cv2.resize(each, size, interpolation=cv2.INTER_LINEAR) for each in shapes])
    above = (high - shapes.shape[1]) // 2
    below = high - shapes.shape[1] - above
    if above > 0 or below > 0:
        shapes = np.pad(shapes, ((0, 0), (max(0, above), max(0, below)), (0, 0)), mode="edge")
    shapes = shapes[:, max(0, -above) :][:, :high]
    return replace(fit, grid=grid, glyphs=replace(glyphs, shapes=shapes))


def with_learned(picture: NDArray[Any], fit: GridFit, learned: GlyphSet) -> GridFit:
    """The fit with learned glyphs in place of a font's, its grid moved so that they lie upon the text."""
    import cv2
    import numpy as np

    cell = fit.grid.cell
    if learned.cell != cell:
        shapes = np.stack([cv2.resize(each, cell, interpolation=cv2.INTER_LINEAR) for each in learned.shapes])
        learned = replace(learned, shapes=shapes)
    matcher = Matcher(plain_ink(picture), cell_grid.edges(picture, upright=True).sum(1))
    best = replace(fit, glyphs=learned, blur=0.0, font=None, size=0.0, score=0.0)
    for step in (0.0, -0.12, 0.12, -0.24, 0.24):
        shifted = replace(fit.grid, down=(fit.grid.down[0] + step * fit.grid.size[1], *fit.grid.down[1:]))
        grid = matcher.refined(shifted, learned, (1, 1))
        score = matcher.score(grid, learned)
        if score > best.score:
            best = replace(best, grid=grid, score=score)
    return replace(best, grid=matcher.refined(best.grid, learned, (3, 6)))
