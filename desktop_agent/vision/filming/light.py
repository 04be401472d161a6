"""Measures on the calibration page how bright black and white are across the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_agent.protocol.geometry import Size
from desktop_agent.vision.filming.calibration_page import CELLS, black_squares, draw, page_markers
from desktop_agent.vision.filming.opencv import opencv

if TYPE_CHECKING:
    from numpy.typing import NDArray

Levels = tuple[float, ...]


def measured(flat: NDArray[Any], size: Size, columns: int, rows: int) -> tuple[Levels, Levels]:
    """Black and white (rows x columns x 3 shades each, row by row) from the page's rectified picture.

    White is where the page is white some pixels around, black the inside of its black squares and markers' edges.
    Between them values are interpolated by nearness; where something hides the page, its neighbours count.
    """
    import numpy as np

    cv2 = opencv()
    page = np.frombuffer(draw(size.width, size.height, ""), np.uint8).reshape(size.height, size.width, 4)[..., 0]
    cell = max(1, page_markers(size)[0].area.width // CELLS)
    near = np.ones((cell // 2 * 2 + 1,) * 2, np.uint8)
    white = cv2.erode(page, near) == 255
    black = cv2.dilate(page, near[: cell // 2 + 1 | 1, : cell // 2 + 1 | 1]) == 0
    assert black_squares(size)
    return (
        _smooth(flat, black, size, columns, rows, 0.10),
        _smooth(flat, white, size, columns, rows, 0.04),
    )


def _smooth(
    flat: NDArray[Any], where: NDArray[Any], size: Size, columns: int, rows: int, reach: float
) -> Levels:
    """The mean shade around each place of the grid, of the pixels that count; `reach` as a share of the width."""
    import numpy as np

    cv2 = opencv()
    small = (max(1, size.width // 4), max(1, size.height // 4))
    weight = where.astype(np.float32)
    total = flat.astype(np.float32) * weight[..., None]
    weight, total = (cv2.resize(each, small, interpolation=cv2.INTER_AREA) for each in (weight, total))
    sigma = reach * small[0]
    sums, weights = (cv2.GaussianBlur(each, (0, 0), sigma, borderType=cv2.BORDER_CONSTANT) for each in (total, weight))
    level = sums / np.maximum(weights, 1e-6)[..., None]
    x = np.linspace(0, small[0] - 1, columns).astype(np.float32)
    y = np.linspace(0, small[1] - 1, rows).astype(np.float32)
    grid = cv2.remap(level, *np.meshgrid(x, y), cv2.INTER_LINEAR)
    return tuple(float(round(each, 2)) for each in grid.ravel())
