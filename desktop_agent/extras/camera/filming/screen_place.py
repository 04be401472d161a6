"""The record of where a screen stands in a camera's picture, and the change between both kinds of coordinates.

Coordinates on the screen count from its outer edge: the middle of the pixel in column 0 is at 0.5, the right edge at
`width`. Coordinates in the camera's picture are OpenCV's: the middle of the pixel in column 0 is at 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from desktop_agent.extras.camera.filming.opencv import opencv
from desktop_agent.protocol.errors import Refused
from desktop_agent.protocol.geometry import Size

if TYPE_CHECKING:
    from numpy.typing import NDArray

Corner = tuple[float, float]
_LEAST = 0.02
"""The share of the camera's picture that a screen covers at least."""


class ScreenPlace(msgspec.Struct, frozen=True):
    """Where a screen stands in the pictures of a camera.

    `corners` are the screen's outer corners in camera pixels, clockwise from its top left one; `size` is the screen's
    in its own pixels, `camera` that of the camera's pictures; `lens` are k1 and k2 of Brown's radial distortion about
    the middle of the picture, with radii as shares of its width. `error` is the root mean square distance of the
    markers from where they should be, in screen pixels (0: placed by hand); `seen` of `markers` were used.
    """

    corners: tuple[Corner, Corner, Corner, Corner]
    size: Size
    camera: Size
    lens: tuple[float, float] = (0.0, 0.0)
    error: float = 0.0
    seen: int = 0
    markers: int = 0

    @property
    def scale(self) -> float:
        """Camera pixels for each screen pixel, where the screen is smallest in the picture."""
        (a, b, c, d), (width, height) = self.corners, (self.size.width, self.size.height)
        return min(
            math.dist(a, b) / width,
            math.dist(d, c) / width,
            math.dist(a, d) / height,
            math.dist(b, c) / height,
        )

    def matrix(self) -> NDArray[Any]:
        """The homography from screen coordinates to camera pixels without distortion."""
        import numpy as np

        width, height = self.size.width, self.size.height
        edges = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
        straight = undistorted(np.array(self.corners, np.float64), self.lens, self.camera)
        matrix: NDArray[Any] = opencv().getPerspectiveTransform(edges, straight.astype(np.float32))
        return matrix

    def to_camera(self, points: NDArray[Any]) -> NDArray[Any]:
        """Where points of the screen (n x 2) are in the camera's picture."""
        return distorted(project(self.matrix(), points), self.lens, self.camera)

    def to_screen(self, points: NDArray[Any]) -> NDArray[Any]:
        """Where points of the camera's picture (n x 2) are on the screen."""
        import numpy as np

        return project(np.linalg.inv(self.matrix()), undistorted(points, self.lens, self.camera))


def manual_place(corners: Sequence[Corner], size: Size, camera: Size) -> ScreenPlace:
    """The place of a screen whose four corners someone has named: camera pixels, clockwise from the screen's top left.

    Raises Refused where they cannot be the corners of a screen.
    """
    if len(corners) != 4:
        raise Refused(f"A screen has 4 corners; {len(corners)} were given.", "Give x,y four times.")
    if size.width < 1 or size.height < 1:
        raise Refused("The screen's size is not given.", "Give its width and height in pixels.")
    outside = [c for c in corners if not (-1 <= c[0] <= camera.width and -1 <= c[1] <= camera.height)]
    if outside or not all(map(math.isfinite, (each for corner in corners for each in corner))):
        raise Refused(
            f"The corner {outside[0] if outside else corners} is not in the camera's picture of "
            f"{camera.width}x{camera.height} pixels.",
            "Turn or move the camera so that the whole screen is in its picture.",
        )
    turns = [_turn(corners[i], corners[(i + 1) % 4], corners[(i + 2) % 4]) for i in range(4)]
    if not all(each > 0 for each in turns):
        raise Refused(
            "These four points are not a screen's corners in order.",
            "Give them clockwise: the screen's top left, top right, bottom right, bottom left.",
        )
    if _area(corners) < _LEAST * camera.width * camera.height:
        raise Refused("The screen is too small in the camera's picture.", "Move the camera nearer.")
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return ScreenPlace((a, b, c, d), size, camera)


def _turn(a: Corner, b: Corner, c: Corner) -> float:
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def _area(corners: Sequence[Corner]) -> float:
    pairs = zip(corners, [*corners[1:], corners[0]], strict=True)
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs)) / 2


def project(matrix: NDArray[Any], points: NDArray[Any]) -> NDArray[Any]:
    """Points (n x 2) through a homography."""
    import numpy as np

    there = np.c_[np.asarray(points, np.float64), np.ones(len(points))] @ matrix.T
    result: NDArray[Any] = there[:, :2] / there[:, 2:]
    return result


def distorted(points: NDArray[Any], lens: Sequence[float], camera: Size) -> NDArray[Any]:
    """Where a lens puts points (n x 2) of a camera's picture that would be there without distortion."""
    if not any(lens):
        return points
    middle, unit = _normal(camera)
    flat = (points - middle) / unit
    square = (flat**2).sum(axis=1, keepdims=True)
    result: NDArray[Any] = flat * (1 + square * (lens[0] + square * lens[1])) * unit + middle
    return result


def undistorted(points: NDArray[Any], lens: Sequence[float], camera: Size) -> NDArray[Any]:
    """The inverse of `distorted`, by fixed-point iteration."""
    if not any(lens):
        return points
    middle, unit = _normal(camera)
    there = (points - middle) / unit
    flat = there
    for _ in range(30):
        square = (flat**2).sum(axis=1, keepdims=True)
        flat = there / (1 + square * (lens[0] + square * lens[1]))
    result: NDArray[Any] = flat * unit + middle
    return result


def _normal(camera: Size) -> tuple[Any, float]:
    import numpy as np

    return np.array([(camera.width - 1) / 2, (camera.height - 1) / 2]), float(camera.width)
