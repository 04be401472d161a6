"""Measures on the calibration page how bright black and white are across the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from desktop_agent.extras.camera.filming.calibration_page import CELLS, draw, page_markers
from desktop_agent.extras.camera.filming.opencv import opencv
from desktop_agent.extras.camera.filming.screen_place import ScreenPlace
from desktop_agent.protocol.geometry import Size

if TYPE_CHECKING:
    from numpy.typing import NDArray

Levels = tuple[float, ...]
_REACHES = (0.10, 0.05, 0.025)
"""How far a pixel counts, as shares of the width: roughly first, then what remains from nearer by (Barnes's scheme)."""


class LightMap(msgspec.Struct, frozen=True):
    """How bright a screen's black and white look through a camera, on a coarse grid.

    `black` and `white` are rows x columns x 3 shades (blue, green, red; 0 to 255), row by row, of `columns` x `rows`
    places spread evenly from edge to edge.
    """

    columns: int
    rows: int
    black: tuple[float, ...]
    white: tuple[float, ...]


def measure_light(picture: NDArray[Any], place: ScreenPlace, columns: int = 32, rows: int = 20) -> LightMap:
    """How black and white look everywhere on the screen, from a picture of the calibration page in this place."""
    from desktop_agent.extras.camera.filming.rectifier import Rectifier

    black, white = _measured(Rectifier(place).flat(picture), place.size, columns, rows)
    return LightMap(columns, rows, black, white)


def _measured(flat: NDArray[Any], size: Size, columns: int, rows: int) -> tuple[Levels, Levels]:
    """Black and white (rows x columns x 3 shades each, row by row) from the page's rectified picture.

    White is where the page is white some pixels around, black the inside of its black squares and markers' edges.
    Between them values are interpolated by nearness; where something hides the page, its neighbours count.
    """
    import numpy as np

    cv2 = opencv()
    page = np.frombuffer(draw(size.width, size.height, ""), np.uint8).reshape(size.height, size.width, 4)[
        ..., 0
    ]
    cell = max(1, page_markers(size)[0].area.width // CELLS)
    near = np.ones((cell // 2 | 1,) * 2, np.uint8)
    return tuple(_smooth(flat, cv2.erode(mask, near), size, (columns, rows)) for mask in (255 - page, page))  # type: ignore[return-value]


def _smooth(flat: NDArray[Any], where: NDArray[Any], size: Size, grid: tuple[int, int]) -> Levels:
    """The shade at each place of a grid, from the pixels that count (255 in `where`)."""
    import numpy as np

    cv2 = opencv()
    small = (max(1, size.width // 4), max(1, size.height // 4))
    weight = cv2.resize(where, small, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    masked = flat.astype(np.float32) * (where == 255)[..., None]
    shade = cv2.resize(masked, small, interpolation=cv2.INTER_AREA) / np.maximum(weight, 1e-6)[..., None]
    level = np.zeros_like(shade)
    for turn, reach in enumerate(_REACHES):
        sigma = reach * small[0]
        sums = cv2.GaussianBlur(
            (shade - level) * weight[..., None], (0, 0), sigma, borderType=cv2.BORDER_CONSTANT
        )
        weights = cv2.GaussianBlur(weight, (0, 0), sigma, borderType=cv2.BORDER_CONSTANT)
        # Far from all that counts nothing is added to the rough shade.
        level += sums / np.maximum(weights, 1e-6 if turn == 0 else 0.02)[..., None]
    x = np.linspace(0, small[0] - 1, grid[0]).astype(np.float32)
    y = np.linspace(0, small[1] - 1, grid[1]).astype(np.float32)
    found = cv2.remap(level, *np.meshgrid(x, y), cv2.INTER_LINEAR)
    return tuple(float(round(each, 2)) for each in found.ravel().tolist())
