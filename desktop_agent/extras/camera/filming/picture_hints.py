"""Says in words what could be better in a camera's picture of a screen: light, focus, distance, glare, movement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop_agent.extras.camera.filming.opencv import opencv
from desktop_agent.extras.camera.filming.screen_place import ScreenPlace

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DARK = 90
"""A white page darker than this leaves too few shades for text."""
_BURNT = 0.02
_SMALL = 0.9
"""Camera pixels for each screen pixel below which small letters cannot be read."""
_BLURRED = 2.2
"""Sigma in camera pixels of the blur of an edge."""
_MOVED = 1.0
_GLARE = 25


def picture_hints(
    picture: NDArray[Any], place: ScreenPlace | None = None, before: NDArray[Any] | None = None
) -> tuple[str, ...]:
    """What to change, one sentence each, most important first; () for a good picture.

    With `place` the screen alone is looked at, as it shows the calibration page. `before` is an earlier picture of the
    same: with it, movement is told.
    """
    import numpy as np

    cv2 = opencv()
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    inside = np.ones(grey.shape, np.uint8)
    if place is not None:
        inside[:] = 0
        cv2.fillPoly(inside, [np.round(np.array(place.corners)).astype(np.int32)], 1)
    shades = grey[inside == 1]
    if not shades.size:
        return ("The screen is not in the picture: turn the camera to it.",)
    hints = []
    low, white = (float(each) for each in np.percentile(shades, (3, 95)))
    if white < _DARK:
        hints.append("Too dark: turn up the screen's brightness or lengthen the exposure.")
    elif place is not None and white - low < 60:
        hints.append("Little contrast: darken the room, or turn up the screen's brightness.")
    if float((shades >= 254).mean()) > _BURNT and float(np.median(shades)) >= 252:
        hints.append("Burnt out: turn down the screen's brightness or shorten the exposure.")
    blur = blur_of(grey[_box(inside)])
    if blur > _BLURRED:
        hints.append(f"Blurred (edges are {blur:.1f} pixels wide): focus the lens and hold the camera still.")
    if place is not None and place.scale < _SMALL:
        hints.append(
            f"The screen is small in the picture ({place.scale:.2f} camera pixels for each of its pixels): move nearer, "
            "or ask the camera for larger pictures."
        )
    if place is not None and (spot := _glare(picture, place)):
        hints.append(f"Something mirrors in the screen at its {spot}: turn the screen or move the lamp.")
    if (
        before is not None
        and before.shape == picture.shape
        and (way := _way(before, picture, inside)) > _MOVED
    ):
        hints.append(
            f"The camera or the screen moves ({way:.1f} pixels between two pictures): fix it in its place."
        )
    return tuple(hints)


def _box(inside: NDArray[Any]) -> tuple[slice, slice]:
    x, y, width, height = opencv().boundingRect(inside)
    return slice(y, y + height), slice(x, x + width)


def blur_of(grey: NDArray[Any]) -> float:
    """How wide the sharpest edges are: the sigma of a Gaussian blur that would make them, in pixels.

    An ideal edge of height h, blurred with sigma s, rises by h / (s * sqrt(2 pi)) a pixel where it is steepest.
    """
    import numpy as np

    cv2 = opencv()
    calm = cv2.GaussianBlur(grey, (0, 0), 0.8).astype(np.float32)  # else noise is taken for steepness
    slope = cv2.magnitude(cv2.Sobel(calm, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(calm, cv2.CV_32F, 0, 1) / 8)
    size = np.ones((25, 25), np.uint8)
    high, low = cv2.dilate(calm, size), cv2.erode(calm, size)
    height = high - low
    edges = (height > 40) & (slope > np.percentile(slope, 97))
    if not edges.any():
        return 0.0
    widths = height[edges] / (np.maximum(slope[edges], 0.1) * np.sqrt(2 * np.pi))
    # Minus the blur that was added above and Sobel's own (about 1).
    sigma = float(np.percentile(widths, 20))
    return float(np.sqrt(max(0.0, sigma**2 - 0.8**2 - 0.7**2)))


def _glare(picture: NDArray[Any], place: ScreenPlace) -> str:
    """Where black looks far brighter than elsewhere on the screen; "" for nowhere."""
    import numpy as np

    from desktop_agent.extras.camera.filming.light import measure_light

    light = measure_light(picture, place)
    black = np.array(light.black).reshape(light.rows, light.columns, 3).mean(axis=2)
    if float(black.max() - np.median(black)) < _GLARE:
        return ""
    row, column = np.unravel_index(int(black.argmax()), black.shape)
    down = ("top", "middle", "bottom")[min(2, int(row) * 3 // light.rows)]
    across = ("left", "middle", "right")[min(2, int(column) * 3 // light.columns)]
    return "middle" if down == across else f"{down} {across}"


def _way(before: NDArray[Any], after: NDArray[Any], inside: NDArray[Any]) -> float:
    """How far the picture moved, in pixels."""
    import numpy as np

    cv2 = opencv()
    one, two = (
        cv2.cvtColor(each, cv2.COLOR_BGR2GRAY)[_box(inside)].astype(np.float32) for each in (before, after)
    )
    window = cv2.createHanningWindow((one.shape[1], one.shape[0]), cv2.CV_32F)
    (x, y), _ = cv2.phaseCorrelate(one, two, window)
    return float(np.hypot(x, y))
