"""Finds the cells of a terminal that shows too few lines for its rows to be regular: from one line and its font."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop_agent.extras.camera.terminal_text import cell_grid, glyph_templates
from desktop_agent.extras.camera.terminal_text.cell_grid import CellGrid
from desktop_agent.extras.camera.terminal_text.glyph_templates import GlyphSet

if TYPE_CHECKING:
    from numpy.typing import NDArray

_THINNEST, _THICKEST, _WIDTHS = 0.38, 0.8, 48
"""A cell's width as a share of the height of a line's ink, and how many of these are tried."""
_SMALL = 8
"""Pixels of a cell's width while it is compared."""
_LETTERS = 48
"""Characters of a line that are compared."""
_BEFORE = (0.0, 0.07, 0.14, 0.21, 0.28)
"""Where the first character's ink may begin in its cell, as a share of the width."""
_KEPT = 4
_TALLEST = 1.5
"""The distance of lines as a multiple of the font's own."""
_FINE = 0.5


def natural_height(font: Path, width: float) -> int:
    """The distance of lines that a font itself asks for where its cells are that wide, in pixels."""
    ascent, descent = glyph_templates.metrics(
        font, float(max(4, round(width / glyph_templates.advance(font))))
    )
    return ascent + descent


def candidates(
    ink: NDArray[Any],
    runs: Sequence[tuple[int, int]],
    font: Path,
    blur: float,
    rows: int = 0,
    known: float = 0.0,
) -> list[CellGrid]:
    """The likeliest grids, best first, from the ink of a picture and its `runs`: where lines begin and end, in pixels.

    `font` is what characters are compared with, seen with that `blur`; `rows` how many rows the terminal has and
    `known` the distance of its lines in pixels, 0 for unknown.
    """
    top, bottom = max(runs, key=lambda each: float(ink[each[0] : each[1]].sum()))
    found = _line(ink, (top, bottom), font, blur)
    grids = []
    height, width = ink.shape
    for x, y, cell in found:
        natural = float(natural_height(font, cell))
        pitches = {known or (float(height // rows) if rows else natural)}
        if len(runs) > 1 and not rows:
            profile = row_profile(ink)
            pitches.update(spread_rows(profile, y, natural, _density(font, natural))[:2])
        for pitch in sorted(pitches):
            if cell_grid.fitting(cell, pitch):
                start = y - (pitch - natural) / 2
                grids.append(cell_grid.over_picture(x, start, cell, pitch, (width, height)))
    return grids


def row_profile(ink: NDArray[Any]) -> NDArray[Any]:
    """How much is written in each row of pixels; full lines count little more than short ones."""
    import numpy as np

    profile: NDArray[Any] = np.sqrt(np.maximum(ink - 2 * np.median(ink) - 4, 0).sum(1))
    return profile


def spread_rows(
    profile: NDArray[Any], top: float, natural: float, density: NDArray[Any], most: float = _TALLEST
) -> list[float]:
    """The likeliest distances of lines, the best first, when one line's natural cell begins at `top`.

    `density` is how much characters write in each row of a cell of `natural` height.
    """
    import numpy as np

    places = np.arange(len(profile)) + 0.5 - top
    reach = max(1.0, np.abs(places[profile > 0.1 * profile.max()]).max() / natural) if profile.any() else 1.0
    pitches = np.arange(natural * 0.92, natural * most, min(0.5, _FINE / reach))
    inside = places[None, :] - pitches[:, None] * np.round((places[None, :] - natural / 2) / pitches[:, None])
    middle = np.interp(inside, np.arange(len(density)) + 0.5, density, left=0.0, right=0.0) - density.mean()
    score = middle @ profile
    peaks = [i for i in range(len(score)) if score[i] >= score[max(0, i - 1) : i + 2].max() and score[i] > 0]
    peaks.sort(key=lambda i: -score[i])
    return [float(pitches[i]) for i in peaks[:_KEPT]]


def _density(font: Path, natural: float) -> NDArray[Any]:
    high = max(6, round(natural))
    size = float(max(4, round(high / sum(glyph_templates.metrics(font, 100.0)) * 100)))
    cell = max(4, round(size * glyph_templates.advance(font))), high
    return density(glyph_templates.drawn(font, size, cell))


def density(glyphs: GlyphSet) -> NDArray[Any]:
    """How much usual characters write in each row of their cell, from 0 to 1."""
    import numpy as np

    common = [glyphs.letters.index(each) for each in "etaoinshrdlu0123/-." if each in glyphs.letters]
    profile: NDArray[Any] = np.maximum(glyphs.shapes[common], 0).sum((0, 2))
    profile /= profile.max() + 1e-6
    return profile


def _line(
    ink: NDArray[Any], run: tuple[int, int], font: Path, blur: float
) -> list[tuple[float, float, float]]:
    """(x, y of the natural cell, width) that the characters of one line fit, the best first."""
    import cv2
    import numpy as np

    top, bottom = run
    tall = bottom - top
    across = ink[top:bottom].max(0)
    there = np.flatnonzero(across > max(20.0, 0.3 * float(np.percentile(across, 98))))
    if not len(there):
        return []
    start = float(there[0])
    aspect = sum(glyph_templates.metrics(font, 100.0)) / (100 * glyph_templates.advance(font))
    small = (_SMALL, round(_SMALL * aspect))
    found = []
    for width in np.geomspace(_THINNEST, _THICKEST, _WIDTHS) * tall:
        if not cell_grid.SMALLEST[0] <= width <= cell_grid.LARGEST[0]:
            continue
        high = width * aspect
        count = int(min(_LETTERS, (there[-1] - start) / width + 1.4))
        unit = _small(font, small, round(blur * _SMALL / width, 1))
        scale_x, scale_y = width / small[0], high / small[1]
        places = [
            (
                start + 0.5 - before * width,
                top - 0.34 * high + down * (0.34 * high + max(0.0, tall - 0.9 * high)),
            )
            for down in np.linspace(0.0, 1.0, 5)
            for before in _BEFORE
        ]
        strips = [
            cv2.warpAffine(
                ink,
                np.array(
                    [[scale_x, 0, x + scale_x / 2 - 0.5], [0, scale_y, y + scale_y / 2 - 0.5]], np.float32
                ),
                (small[0] * count, small[1]),
                flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                borderMode=cv2.BORDER_REPLICATE,
            )
            for x, y in places
        ]
        # All at once: many small products of matrices take much longer than a large one.
        split = np.stack(strips).reshape(len(places), small[1], count, small[0]).swapaxes(1, 2)
        cells = split.reshape(len(places) * count, -1)
        cells = cells - cells.mean(1, keepdims=True)
        fit = np.maximum((cells @ unit.T).max(1), 0).reshape(len(places), count)
        energy = np.square(cells).sum(1).reshape(len(places), count)
        scores = np.square(fit).sum(1) / (energy.sum(1) + 1e-6)
        found += [(float(score), x, y, width) for score, (x, y) in zip(scores, places, strict=True)]
    found.sort(key=lambda each: -each[0])
    kept: list[tuple[float, float, float]] = []
    for _, x, y, width in found:
        if all(abs(width / other[2] - 1) > 0.02 or abs(y - other[1]) > 2 for other in kept):
            kept.append((x, y, float(width)))
        if len(kept) == _KEPT:
            break
    return kept


def _small(font: Path, cell: tuple[int, int], blur: float) -> NDArray[Any]:
    """The glyphs in cells of that size without their mean and of length 1; (glyphs, height * width)."""
    import cv2
    import numpy as np

    large = (4 * cell[0], 4 * cell[1])
    sharp = glyph_templates.drawn(font, round(large[0] / glyph_templates.advance(font), 2), large)
    soft = sharp.blurred(4 * blur)
    shapes = np.stack([cv2.resize(each, cell, interpolation=cv2.INTER_AREA) for each in soft.shapes])
    flat = shapes.reshape(len(shapes), -1)
    flat = flat - flat.mean(1, keepdims=True)
    unit: NDArray[Any] = (flat / (np.linalg.norm(flat, axis=1, keepdims=True) + 1e-6)).astype(np.float32)
    return unit
