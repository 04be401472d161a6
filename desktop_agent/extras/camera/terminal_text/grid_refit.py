"""Fits a terminal's grid again when later pictures show lines on which it was not fitted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from desktop_agent.extras.camera.terminal_text import cell_grid, few_lines
from desktop_agent.extras.camera.terminal_text.cell_grid import CellGrid
from desktop_agent.extras.camera.terminal_text.grid_search import GridFit, Matcher, plain_ink, recut, sized

if TYPE_CHECKING:
    from numpy.typing import NDArray

BETTER = 0.02
"""By how much more of the ink a grid must explain to take another's place."""


def matcher_of(picture: NDArray[Any]) -> Matcher:
    """What compares a picture with glyphs."""
    return Matcher(plain_ink(picture), cell_grid.edges(picture, upright=True).sum(1))


def tightened(matcher: Matcher, fit: GridFit) -> GridFit:
    """The fit moved onto the text that there is now; itself where that explains no more of it."""
    before = replace(fit, score=matcher.score(fit.grid, fit.glyphs, whole=True))
    grid = matcher.refined(fit.grid, fit.glyphs, (3, 6))
    score = matcher.score(grid, fit.glyphs, whole=True)
    best = replace(fit, grid=grid, score=score) if score > before.score - 0.002 else before
    return resized(matcher, best)


def resized(matcher: Matcher, fit: GridFit) -> GridFit:
    """The fit with the size and blur of its font that suit the text there is now."""
    if fit.font is None:
        return fit
    found = sized(matcher, fit, lambda: None)
    score = matcher.score(found.grid, found.glyphs, whole=True)
    return replace(found, score=score) if score > fit.score else fit


def spread(matcher: Matcher, fit: GridFit, first: int, check: Callable[[], None] = lambda: None) -> GridFit:
    """The fit with the distance of lines that suits the picture best, row `first` kept where it is; font and width stay."""
    width, height = fit.grid.size
    natural = float(few_lines.natural_height(fit.font, width)) if fit.font else height
    cell_top = fit.grid.place(first, 0)[1]
    top = cell_top + (height - natural) / 2
    profile = few_lines.row_profile(matcher.ink)
    best = replace(fit, score=matcher.score(fit.grid, fit.glyphs, whole=True))
    density = few_lines.density(fit.glyphs)
    middle = cell_top + height / 2
    for pitch in few_lines.spread_rows(profile, top, natural, density):
        check()
        grid = _with_pitch(fit.grid, middle, pitch, matcher.ink.shape[0])
        fitting = recut(fit, grid)
        grid = matcher.refined(grid, fitting.glyphs, (3, 3))
        score = matcher.score(grid, fitting.glyphs, whole=True)
        if score > best.score + BETTER:
            best = replace(fitting, grid=grid, score=score)
    return resized(matcher, best)


def _with_pitch(grid: CellGrid, middle: float, pitch: float, bottom: int) -> CellGrid:
    """The grid with rows of that height, the middle of one of them at `middle`."""
    start = middle - pitch / 2
    top = start - pitch * int((start + 0.2 * pitch) // pitch)
    rows = max(1, int((bottom - top + 0.1 * pitch) // pitch))
    straight = cell_grid.regular(0.0, top, grid.size[0], pitch, grid.columns, rows)
    return replace(straight, across=grid.across)
