"""Finds a terminal's cells in a picture and the font that its characters are in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_agent.vision.terminal_text import cell_grid, glyph_templates
from desktop_agent.vision.terminal_text.cell_grid import CellGrid, cells_of, page_of, straightened
from desktop_agent.vision.terminal_text.glyph_templates import GlyphSet

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLURS = (0.5, 0.9, 1.3, 1.8, 2.4)
"""Blurs of a lens that are tried, in pixels of the screen."""
_FIRST_BLUR = 1.2
_CELLS = 350
"""Cells with ink that are compared while searching."""
_BLOCK = 160
_FEW_ROWS = 4
_ASPECTS = (0.42, 0.485, 0.5, 0.54, 0.6)
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
    down, across = max(1, round(height / _BLOCK)), max(1, round(width / _BLOCK))
    ground = np.zeros((down, across, 3), np.float32)
    for row in range(down):
        for column in range(across):
            block = picture[
                row * height // down : (row + 1) * height // down : 4,
                column * width // across : (column + 1) * width // across : 4,
            ]
            ground[row, column] = np.median(block.reshape(-1, 3), axis=0)
    behind = cv2.resize(ground, (width, height), interpolation=cv2.INTER_LINEAR)
    ink: NDArray[Any] = np.sqrt(np.square(picture.astype(np.float32) - behind).sum(2))
    return ink


class _Matcher:
    """Compares cells of one picture with glyphs while a grid is searched."""

    def __init__(self, picture: NDArray[Any]) -> None:
        self.ink = plain_ink(picture)

    def cells(self, grid: CellGrid) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """The straightened ink, its cells without their means, and the numbers of those that have ink."""
        import numpy as np

        page = straightened(self.ink, grid)
        flat = cells_of(page, grid).reshape(grid.rows * grid.columns, -1)
        flat = flat - flat.mean(1, keepdims=True)
        deviation = flat.std(1)
        floor = float(np.percentile(deviation, 20))
        chosen = np.flatnonzero(deviation > max(_LEAST_INK / 2, 2.0 * floor if floor < 20 else floor))
        if len(chosen) > _CELLS:
            chosen = chosen[np.linspace(0, len(chosen) - 1, _CELLS).astype(int)]
        return page, flat, chosen

    def score(self, grid: CellGrid, glyphs: GlyphSet) -> float:
        """The share of energy that the best glyph of each cell explains, 0 to 1; 0 without ink."""
        import numpy as np

        _, flat, chosen = self.cells(grid)
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
            page, flat, chosen = self.cells(grid)
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
    learned: Sequence[GlyphSet] = (),
    check: Callable[[], None] = lambda: None,
) -> GridFit | None:
    """The best fitting grid and font; None where nothing is regular enough to be a terminal.

    `columns` and `rows` are hints, 0 for unknown. `check` is called between steps and may raise.
    """
    matcher = _Matcher(picture)
    own = fonts[0]
    tried = []
    for grid in _candidates(picture, own, columns, rows):
        check()
        glyphs = _glyphs(own, grid.cell).blurred(_FIRST_BLUR)
        tried.append((matcher.score(grid, glyphs), grid))
    tried.sort(key=lambda each: -each[0])
    found = []
    for _, grid in _apart(tried):
        check()
        glyphs = _glyphs(own, grid.cell).blurred(_FIRST_BLUR)
        better = matcher.refined(grid, glyphs, (1, 1, 3))
        found.append(GridFit(better, glyphs, _FIRST_BLUR, matcher.score(better, glyphs), own))
    if not found:
        return None
    best = max(found, key=lambda each: each.score)
    return _with_font(matcher, best, fonts, learned, check)


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


def _candidates(picture: NDArray[Any], font: Path, columns: int, rows: int) -> Iterator[CellGrid]:
    """Grids that the picture's profiles speak for, each at a few places."""
    strength = cell_grid.edges(picture)
    height, width = strength.shape
    down, across = strength.sum(1), strength.sum(0)
    widths = cell_grid.periods(across, cell_grid.SMALLEST[0], cell_grid.LARGEST[0])
    heights = cell_grid.periods(down, cell_grid.SMALLEST[1], cell_grid.LARGEST[1])
    if columns:
        widths = [each for each in widths if abs(each[0] * columns / width - 1) < 0.25] or [(width / columns, 0.0, 0.0)]
    if rows:
        heights = [each for each in heights if abs(each[0] * rows / height - 1) < 0.25] or [(height / rows, 0.0, 0.0)]
    pairs = [(w, h) for w in widths for h in heights if cell_grid.fitting(w[0], h[0])]
    pairs.sort(key=lambda each: -each[0][2] * each[1][2])
    pairs = pairs[:5]
    if not pairs or _text_rows(down, heights) < _FEW_ROWS:
        middle = _middle(down)
        pairs += [(w, (w[0] / aspect, middle % (w[0] / aspect), 0.0)) for w in widths[:3] for aspect in _ASPECTS]
    for w, h in pairs:
        glyphs = _glyphs(font, (max(4, round(w[0])), max(6, round(h[0]))))
        centre_x, centre_y = _centre(glyphs, 2) * w[0], _centre(glyphs, 1) * h[0]
        for step_y in (-0.24, -0.12, 0.0, 0.12, 0.24):
            for step_x in (-0.12, 0.12):
                yield cell_grid.over_picture(
                    w[1] - centre_x + step_x * w[0], h[1] - centre_y + step_y * h[0], w[0], h[0], (width, height)
                )


def _centre(glyphs: GlyphSet, axis: int) -> float:
    """Where in a cell letters are densest, as a share of its size; taken as `periods` takes it."""
    import numpy as np

    lower = [glyphs.letters.index(each) for each in "etaoinshrdlu0123/-."]
    ink = np.abs(np.diff(glyphs.shapes[lower], axis=2, prepend=0)) + np.abs(np.diff(glyphs.shapes[lower], axis=1, prepend=0))
    profile = ink.sum((0, 2 if axis == 1 else 1))
    count = len(profile)
    answer = (profile * np.exp(-2j * np.pi * (np.arange(count) + 0.5) / count)).sum()
    return float((-np.angle(answer) / (2 * np.pi)) % 1)


def _middle(profile: NDArray[Any]) -> float:
    import numpy as np

    total = float(profile.sum())
    return float((profile * (np.arange(len(profile)) + 0.5)).sum() / total) if total else 0.0


def _text_rows(profile: NDArray[Any], heights: Sequence[tuple[float, float, float]]) -> int:
    """Roughly how many lines of text there are."""
    if not heights:
        return 0
    return int((profile > 0.05 * profile.max()).sum() / heights[0][0] * 1.5)


def _with_font(
    matcher: _Matcher, fit: GridFit, fonts: Sequence[Path], learned: Sequence[GlyphSet], check: Callable[[], None]
) -> GridFit:
    """The fit with the font, its size and the blur that explain most."""
    best = fit
    for font in fonts:
        check()
        best = _better(matcher, best, font, 0.0, best.blur, (1,) if font != fit.font else ())
    best = replace(best, grid=matcher.refined(best.grid, best.glyphs, (3, 6)))
    best = replace(best, score=matcher.score(best.grid, best.glyphs))
    exact = best.grid.cell[0] / glyph_templates.advance(best.font or fonts[0])
    for blur in BLURS:
        check()
        best = _better(matcher, best, best.font or fonts[0], best.size, blur, ())
    for size in sorted({float(int(exact)), float(int(exact) + 1), round(exact * 0.93), round(exact * 1.06)}):
        check()
        best = _better(matcher, best, best.font or fonts[0], size, best.blur, (1,))
    return replace(best, grid=matcher.refined(best.grid, best.glyphs, (6, 6)))


def _better(
    matcher: _Matcher, fit: GridFit, font: Path, size: float, blur: float, terms: Sequence[int]
) -> GridFit:
    glyphs = _glyphs(font, fit.grid.cell, size).blurred(blur)
    grid = matcher.refined(fit.grid, glyphs, terms) if terms else fit.grid
    score = matcher.score(grid, glyphs)
    return GridFit(grid, glyphs, blur, score, font, size) if score > fit.score + 1e-4 else fit
