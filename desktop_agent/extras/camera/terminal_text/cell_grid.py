"""Where the cells of a terminal lie in its picture: found from the picture's own regularity, and fitted to glyphs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

SMALLEST, LARGEST = (5.0, 9.0), (45.0, 90.0)
"""Cells (width, height) in pixels that are looked for."""
_NARROWEST, _WIDEST = 0.38, 0.68
"""A cell's width as a share of its height."""
_TERMS = 6
_BORDER = 3
_TELLING_ROWS, _TELLING_COLUMNS = 3, 24
"""How many rows and columns need text for the grid's pitch and slope to be fitted to them."""
_STIFF = 1e6


@dataclass(frozen=True)
class CellGrid:
    """Cells of `cell` (width, height) pixels once straightened, `columns` by `rows`.

    `across` and `down` are the coefficients of x and y in the picture over 1, u, v, uu, uv, vv, where u and v are column
    and row from -1 at the left and top to 1 at the right and bottom.
    """

    cell: tuple[int, int]
    columns: int
    rows: int
    across: tuple[float, ...]
    down: tuple[float, ...]

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of a cell in the picture's own pixels, at its middle."""
        return 2 * self.across[1] / self.columns, 2 * self.down[2] / self.rows

    def place(self, row: float, column: float) -> tuple[float, float]:
        """Where the corner of a cell lies in the picture, (x, y) in pixels."""
        terms = _terms(2 * column / self.columns - 1, 2 * row / self.rows - 1)
        return (
            float(sum(a * t for a, t in zip(self.across, terms, strict=True))),
            float(sum(a * t for a, t in zip(self.down, terms, strict=True))),
        )


def _terms(u: Any, v: Any) -> tuple[Any, ...]:
    return (u * 0 + 1.0, u, v * 1.0, u * u, u * v, v * v)


def regular(x: float, y: float, width: float, height: float, columns: int, rows: int) -> CellGrid:
    """A grid of equal cells, the first with its corner at x, y."""
    across = (x + width * columns / 2, width * columns / 2, 0.0, 0.0, 0.0, 0.0)
    down = (y + height * rows / 2, 0.0, height * rows / 2, 0.0, 0.0, 0.0)
    return CellGrid((max(4, round(width)), max(6, round(height))), columns, rows, across, down)


def scaled(grid: CellGrid, factor: float) -> CellGrid:
    """The same grid in the picture made larger by that factor."""
    width, height = (each * factor for each in grid.size)
    return replace(
        grid,
        cell=(max(4, round(width)), max(6, round(height))),
        across=tuple(each * factor for each in grid.across),
        down=tuple(each * factor for each in grid.down),
    )


def over_picture(x: float, y: float, width: float, height: float, picture: tuple[int, int]) -> CellGrid:
    """The grid with a cell's corner near x, y that covers a picture of (width, height) but for parts of cells."""
    before, after = 0.2, 0.1
    left = x - width * int((x + before * width) // width)
    top = y - height * int((y + before * height) // height)
    columns = max(1, int((picture[0] - left + after * width) // width))
    rows = max(1, int((picture[1] - top + after * height) // height))
    return regular(left, top, width, height, columns, rows)


def straightened(
    picture: NDArray[Any], grid: CellGrid, first: int = 0, last: int | None = None
) -> NDArray[Any]:
    """The picture's cells of rows `first` to `last` as one picture in which each has `grid.cell` pixels."""
    import cv2
    import numpy as np

    last = grid.rows if last is None else last
    width, height = grid.cell
    # A pixel's middle lies half a pixel from its corner, in the picture as in the cell.
    u = (2 * (np.arange(width * grid.columns, dtype=np.float32) + 0.5) / (width * grid.columns) - 1)[None, :]
    v = (2 * (np.arange(height * first, height * last, dtype=np.float32) + 0.5) / (height * grid.rows) - 1)[
        :, None
    ]
    across, down = _field(grid.across, u, v), _field(grid.down, u, v)
    flat: NDArray[Any] = cv2.remap(
        picture,
        across,
        down,
        cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return flat


def _field(coefficients: tuple[float, ...], u: NDArray[Any], v: NDArray[Any]) -> NDArray[Any]:
    """The coordinates that a polynomial gives for a row `u` and a column `v`; most of its terms need one of them only."""
    import numpy as np

    one, by_u, by_v, by_uu, by_uv, by_vv = map(np.float32, coefficients)
    along = one - np.float32(0.5) + by_u * u + by_uu * u * u
    field: NDArray[Any] = along + (by_v * v + by_vv * v * v)
    if by_uv:
        field += (by_uv * v) * u
    return field


def cells_of(flat: NDArray[Any], grid: CellGrid) -> NDArray[Any]:
    """(cells, height, width[, channels]) of a straightened picture, row by row; a view where that is possible."""
    width, height = grid.cell
    rest = flat.shape[2:]
    rows, columns = flat.shape[0] // height, flat.shape[1] // width
    split = flat.reshape(rows, height, columns, width, *rest)
    return split.swapaxes(1, 2).reshape(rows * columns, height, width, *rest)


def page_of(cells: NDArray[Any], grid: CellGrid) -> NDArray[Any]:
    """The picture that (cells, height, width) make up."""
    width, height = grid.cell
    rows = cells.shape[0] // grid.columns
    page: NDArray[Any] = (
        cells.reshape(rows, grid.columns, height, width).swapaxes(1, 2).reshape(rows * height, -1)
    )
    return page


def moved(grid: CellGrid, drawn: NDArray[Any], seen: NDArray[Any], terms: int = _TERMS) -> CellGrid:
    """The grid moved (and bent, with more than one of `terms`) so that what is seen lies upon what was drawn.

    Both are straightened pictures of ink. One step of Lucas and Kanade's method over a polynomial field; both
    pictures must lie within about two pixels of each other.
    """
    import cv2
    import numpy as np

    drawn, seen = cv2.GaussianBlur(drawn, (0, 0), 1.0), cv2.GaussianBlur(seen, (0, 0), 1.0)
    slope_x, slope_y = (
        cv2.Sobel(drawn, cv2.CV_32F, 1, 0, scale=1 / 8),
        cv2.Sobel(drawn, cv2.CV_32F, 0, 1, scale=1 / 8),
    )
    rest = seen - drawn
    width, height = grid.cell
    # Sums over cells first: the field is as good as constant within one.
    parts = [slope_x * slope_x, slope_x * slope_y, slope_y * slope_y, slope_x * rest, slope_y * rest]
    sums = [cells_of(part, grid).sum((1, 2)).astype(np.float64) for part in parts]
    rows = drawn.shape[0] // height
    v, u = np.mgrid[0:rows, 0 : grid.columns]
    basis = np.stack(_terms(2 * (u.ravel() + 0.5) / grid.columns - 1, 2 * (v.ravel() + 0.5) / grid.rows - 1))[
        :terms
    ]
    xx, xy, yy, x, y = sums
    cross = [[(basis * part) @ basis.T for part in pair] for pair in ((xx, xy), (xy, yy))]
    matrix = np.block(cross)
    # Bending rests on much text only: where there is none, the grid must stay straight.
    text = xx + yy > 0.01 * float((xx + yy).max())
    stiff = np.tile(np.array([1e-5, 1e-5, 1e-5, 0.03, 0.03, 0.03])[:terms], 2)
    stiff[_held(text.reshape(rows, grid.columns), grid, terms)] = _STIFF
    matrix += np.diag(stiff * np.trace(matrix) / (2 * terms) + 1e-9)
    shift = -np.linalg.solve(matrix, np.concatenate([basis @ x, basis @ y]))
    # At most two pixels at a time where there is text; straightened pixels are the picture's, but for rounding.
    furthest = float(np.abs(shift.reshape(2, terms) @ basis[:, text]).max()) if text.any() else 0.0
    shift *= min(1.0, 2.0 / (furthest + 1e-6))
    scale_x, scale_y = grid.size[0] / width, grid.size[1] / height
    padded = np.zeros((2, _TERMS))
    padded[0, :terms], padded[1, :terms] = shift[:terms] * scale_x, shift[terms:] * scale_y
    return replace(
        grid,
        across=tuple(float(a + b) for a, b in zip(grid.across, padded[0], strict=True)),
        down=tuple(float(a + b) for a, b in zip(grid.down, padded[1], strict=True)),
    )


def _held(text: NDArray[Any], grid: CellGrid, terms: int) -> list[int]:
    """The numbers of coefficients on which the cells that have text say too little."""
    import numpy as np

    rows, columns = (int(np.count_nonzero(text.any(axis))) for axis in (1, 0))
    held: set[int] = set()
    if rows < _TELLING_ROWS:
        held |= {2, _TERMS + 2}
    if columns < _TELLING_COLUMNS:
        held |= {1, _TERMS + 1} if columns < 4 else {_TERMS + 1}
    if rows < grid.rows / 2:
        held |= {4, 5, _TERMS + 4, _TERMS + 5}
    if columns < grid.columns / 2:
        held |= {3, 4, _TERMS + 3, _TERMS + 4}
    return [each if each < _TERMS else each - _TERMS + terms for each in held if each % _TERMS < terms]


def edges(picture: NDArray[Any], upright: bool = False) -> NDArray[Any]:
    """How strongly each pixel of a BGR picture differs from those beside it, beyond its noise; float32.

    With `upright` only from those to its left and right: long borders and bars in reverse video lie flat.
    """
    import cv2
    import numpy as np

    soft = cv2.GaussianBlur(picture, (0, 0), 0.8)
    ways = ((1, 0),) if upright else ((1, 0), (0, 1))
    strength = sum(np.abs(cv2.Sobel(soft, cv2.CV_32F, *way, scale=1 / 8)).max(2) for way in ways)
    sample = strength[::3, ::3]
    middle = float(np.median(sample))
    spread = float(np.median(np.abs(sample - middle)))
    found: NDArray[Any] = np.clip(strength - (middle + 5 * spread + 1.0), 0, 60.0)
    # What is beside the screen shows through at its border.
    found[:_BORDER] = found[-_BORDER:] = 0
    found[:, :_BORDER] = found[:, -_BORDER:] = 0
    return found


def periods(
    profile: NDArray[Any], least: float, most: float, count: int = 4
) -> list[tuple[float, float, float]]:
    """The likeliest periods of a profile: (pixels, phase of its densest place in pixels, strength), the best first."""
    import numpy as np

    sums = np.cumsum(profile)
    start, end = (int(each) for each in np.searchsorted(sums, (0.004 * sums[-1], 0.996 * sums[-1])))
    start, end = max(0, start - int(least)), min(len(profile), end + int(least))
    profile = profile[start:end]
    length = len(profile)
    if length < 2 * least:
        return []
    flat = profile - profile.mean()
    # Falls off at both ends only, so that text counts that stands there.
    end_fall = np.clip(
        np.minimum(np.arange(length) + 1, length - np.arange(length)) / (0.15 * length + 1), 0, 1
    )
    fall = 0.3 + 0.7 * end_fall
    spectrum = np.fft.rfft(flat * fall, 8 * length)
    frequencies = np.arange(len(spectrum)) / (8 * length)
    wanted = (frequencies >= 1 / most) & (frequencies <= min(0.5, 1 / least))
    frequencies, answer = frequencies[wanted], spectrum[wanted]
    strength = np.abs(answer) / (np.abs(flat * fall).sum() + 1e-9)
    peaks = [
        i
        for i in range(1, len(strength) - 1)
        if strength[i] >= strength[i - 1] and strength[i] >= strength[i + 1]
    ]
    peaks.sort(key=lambda i: -strength[i])
    found = []
    for i in peaks[:count]:
        near = np.linspace(frequencies[i - 1], frequencies[i + 1], 41)
        closer = np.exp(-2j * np.pi * np.outer(near, np.arange(length) + 0.5)) @ (flat * fall)
        top = int(np.abs(closer).argmax())
        period = 1 / near[top]
        phase = (start - np.angle(closer[top]) / (2 * np.pi) * period) % period
        found.append((float(period), float(phase), float(strength[i])))
    return found


def fitting(width: float, height: float) -> bool:
    """True for a cell as terminals have them."""
    return _NARROWEST <= width / height <= _WIDEST
