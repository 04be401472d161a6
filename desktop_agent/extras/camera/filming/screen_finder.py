"""Finds a screen in a camera's picture by the calibration page that it shows, and says what is wrong with the picture."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop_agent.extras.camera.filming.calibration_page import (
    CELLS,
    PIECE_BITS,
    PIECES,
    PLACES,
    decoded_size,
    dictionary,
    page_markers,
    piece_of,
)
from desktop_agent.extras.camera.filming.opencv import opencv
from desktop_agent.extras.camera.filming.picture_hints import blur_of
from desktop_agent.extras.camera.filming.screen_place import ScreenPlace, distorted, project
from desktop_agent.protocol.errors import Refused
from desktop_agent.protocol.geometry import Size

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_MARKERS = 8
"""So many give the place: with fewer the far corners are extrapolated."""
_SURE = 12.0
"""By how much a lens must explain the markers better than none, as the F statistic, to be believed."""
_DARK, _BRIGHT = 60, 250
_GUESSES = 256
"""Sizes that are tried where two pages are in the picture."""


@dataclass(frozen=True)
class _Seen:
    """A marker in the picture: `corners` 4 x 2 camera pixels."""

    id: int
    corners: NDArray[Any]

    @property
    def place(self) -> int:
        return self.id >> PIECE_BITS

    @property
    def bits(self) -> int:
        return self.id & (1 << PIECE_BITS) - 1


def find_screen(picture: NDArray[Any]) -> ScreenPlace:
    """Where the screen that shows the calibration page stands in a picture (rows, columns, blue green red).

    Raises Refused, with what to change, where too little of the page can be seen.
    """
    grey = opencv().cvtColor(picture, opencv().COLOR_BGR2GRAY)
    camera = Size(picture.shape[1], picture.shape[0])
    seen = _detected(grey)
    found = sorted(_fits(seen, camera), key=lambda each: -each.seen)
    if not found or found[0].seen < LEAST_MARKERS:
        raise _too_few(grey, len(seen), found[0].seen if found else 0)
    if len(found) > 1 and found[1].seen >= LEAST_MARKERS:
        raise Refused(
            "Two screens in the picture show the page.", "Close the page on the one that is not meant."
        )
    place = found[0]
    margin = 2.0
    cut = [
        name
        for name, (x, y) in zip(
            ("top left", "top right", "bottom right", "bottom left"), place.corners, strict=True
        )
        if not (-margin <= x <= camera.width - 1 + margin and -margin <= y <= camera.height - 1 + margin)
    ]
    if cut:
        raise Refused(
            f"The screen's {' and '.join(cut)} corner{'s' if len(cut) > 1 else ''} {'are' if len(cut) > 1 else 'is'} outside the picture.",
            "Turn the camera, or move it away, until the whole screen is in its picture.",
        )
    return place


def _too_few(grey: NDArray[Any], seen: int, used: int) -> Refused:
    count = max(seen if used == 0 else used, used)
    words = (
        "No marker of the calibration page is in the picture."
        if count == 0
        else f"Only {count} of the {PLACES} markers of the calibration page can be read; {LEAST_MARKERS} are needed."
    )
    high, low = (float(opencv().mean(grey)[0]), float(grey.max()))
    brightest, middle = low, high
    if brightest < _DARK or middle < _DARK / 4:
        return Refused(
            words, "The picture is too dark: turn up the screen's brightness, or take the cover off the lens."
        )
    if (grey >= _BRIGHT).mean() > 0.3:
        return Refused(
            words, "The picture is burnt out: turn down the screen's brightness, or shorten the exposure."
        )
    if blur_of(grey) > 3.0:
        return Refused(
            words, "The picture is blurred: focus the lens, hold the camera still, or move it further away."
        )
    if count == 0:
        return Refused(
            words,
            "Show the page at full screen (desktop-agent calibrate --page FILE) and point the camera at it.",
        )
    return Refused(
        words,
        "Bring the whole screen into the picture, move nearer, and take away what hides or mirrors in it.",
    )


def _detected(grey: NDArray[Any]) -> list[_Seen]:
    """The markers of our family in a picture, with their corners at parts of a pixel."""
    import numpy as np

    cv2 = opencv()
    settings = cv2.aruco.DetectorParameters()
    settings.adaptiveThreshWinSizeMin, settings.adaptiveThreshWinSizeMax = 7, 71
    settings.adaptiveThreshWinSizeStep = 16
    settings.minMarkerPerimeterRate = 0.02
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary(), settings).detectMarkers(grey)
    found = []
    for each, number in zip(corners, ids.ravel().tolist() if ids is not None else (), strict=True):
        if number >= PLACES << PIECE_BITS:
            continue
        points = each.reshape(4, 1, 2).astype(np.float32)
        side = cv2.arcLength(points, True) / 4
        # The window holds a corner's two edges, and neither the cells inside nor what is beyond the white.
        reach = int(np.clip(side / CELLS * 0.8, 2, 12))
        stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 40, 0.005)
        fine = cv2.cornerSubPix(grey, points.copy(), (reach, reach), (-1, -1), stop)
        found.append(_Seen(number, fine.reshape(4, 2).astype(np.float64)))
    return found


def _fits(seen: list[_Seen], camera: Size) -> Iterator[ScreenPlace]:
    """A place for each size that the markers may tell of; two pages give two."""
    for size in _sizes(seen):
        expected = {each.id: each.area for each in page_markers(size)}
        mine = [each for each in seen if each.id in expected]
        left = mine
        while len(left) >= LEAST_MARKERS // 2:
            place, used = _fit(left, size, camera)
            if place is None:
                break
            yield place
            left = [each for each in left if id(each) not in used]


def _sizes(seen: list[_Seen]) -> tuple[Size, ...]:
    """The sizes that the pieces tell, the likeliest first."""
    told: dict[int, Counter[int]] = defaultdict(Counter)
    for each in seen:
        told[piece_of(each.place)][each.bits] += 1
    if len(told) < PIECES:
        return ()
    choices = [[bits for bits, _ in told[piece].most_common(3)] for piece in range(PIECES)]
    guesses = itertools.islice(itertools.product(*choices), _GUESSES)
    sizes = (decoded_size(dict(enumerate(each))) for each in guesses)
    return tuple(dict.fromkeys(each for each in sizes if each is not None))


def _fit(seen: list[_Seen], size: Size, camera: Size) -> tuple[ScreenPlace | None, frozenset[int]]:
    """The place that most of these markers agree on, and which they are (by `id()`)."""
    import numpy as np

    cv2 = opencv()
    areas = {each.id: each.area for each in page_markers(size)}
    flat = np.array(
        [
            [(a.x, a.y), (a.right, a.y), (a.right, a.bottom), (a.x, a.bottom)]
            for a in (areas[s.id] for s in seen)
        ],
        np.float64,
    ).reshape(-1, 2)
    there = np.concatenate([each.corners for each in seen])
    width = camera.width
    # Wide enough for a lens's distortion, far below the distance to where another screen's marker would be.
    matrix, _ = cv2.findHomography(flat, there, cv2.RANSAC, 0.012 * width, maxIters=2000, confidence=0.999)
    if matrix is None:
        return None, frozenset()
    off = np.linalg.norm(project(matrix, flat) - there, axis=1).reshape(-1, 4)
    near = off.max(axis=1) < 0.02 * width
    used = frozenset(id(each) for each, ok in zip(seen, near, strict=True) if ok)
    if near.sum() < LEAST_MARKERS // 2:
        return None, used
    good = np.repeat(near, 4)
    numbers, keep = _solved(matrix, flat[good], there[good], camera)
    lens = (float(numbers[8]), float(numbers[9])) if len(numbers) == 10 else (0.0, 0.0)
    final = np.append(numbers[:8], 1).reshape(3, 3)
    edges = np.array([(0, 0), (size.width, 0), (size.width, size.height), (0, size.height)], np.float64)
    corners = distorted(project(final, edges), lens, camera)
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    place = ScreenPlace((a, b, c, d), size, camera, lens)
    miss = place.to_screen(there[good][keep]) - flat[good][keep]
    error = float(np.sqrt((miss**2).sum(axis=1).mean()))
    count = int((keep.reshape(-1, 4).sum(axis=1) >= 2).sum())
    return ScreenPlace((a, b, c, d), size, camera, lens, round(error, 4), count, PLACES), used


def _solved(
    matrix: NDArray[Any], flat: NDArray[Any], there: NDArray[Any], camera: Size
) -> tuple[NDArray[Any], NDArray[Any]]:
    """The homography's 8 numbers, and the lens's 2 where they explain more than chance; which corners counted.

    Corners that glare or a finger displaces are left out by their distance as a multiple of the median one.
    """
    import numpy as np

    start = (matrix / matrix[2, 2]).ravel()[:8]
    keep = np.ones(len(flat), bool)
    plain, bent = start, np.append(start, (0.0, 0.0))
    for _ in range(3):
        plain, _miss = _least_squares(plain, flat[keep], there[keep], camera)
        bent, _miss = _least_squares(bent, flat[keep], there[keep], camera)
        distance = np.linalg.norm(_misses(bent, flat, there, camera).reshape(-1, 2), axis=1)
        keep = distance <= max(0.25, 4 * float(np.median(distance)))
    plain, without = _least_squares(plain, flat[keep], there[keep], camera)
    bent, with_lens = _least_squares(bent, flat[keep], there[keep], camera)
    freedom = max(1, 2 * int(keep.sum()) - len(bent))
    better = (without - with_lens) / 2 / max(with_lens / freedom, 1e-12)
    return (bent if better > _SURE else plain), keep


def _misses(numbers: NDArray[Any], flat: NDArray[Any], there: NDArray[Any], camera: Size) -> NDArray[Any]:
    """By how much corners are elsewhere than a homography and lens say, in camera pixels (x, y, x, y …)."""
    import numpy as np

    matrix = np.append(numbers[:8], 1).reshape(3, 3)
    lens = numbers[8:].tolist() if len(numbers) == 10 else [0.0, 0.0]
    straight = project(matrix, flat)
    result: NDArray[Any] = (distorted(straight, lens, camera) - there).ravel()
    return result


def _least_squares(
    numbers: NDArray[Any], flat: NDArray[Any], there: NDArray[Any], camera: Size
) -> tuple[NDArray[Any], float]:
    """Gauss-Newton with damping (Levenberg, Marquardt) from `numbers`; and the sum of squares that is left."""
    import numpy as np

    damping = 1e-4
    miss = _misses(numbers, flat, there, camera)
    total = float(miss @ miss)
    for _ in range(25):
        steps = np.maximum(np.abs(numbers) * 1e-6, 1e-9)
        slope = np.stack(
            [
                (_misses(numbers + step, flat, there, camera) - miss) / step[index]
                for index, step in enumerate(np.diag(steps))
            ],
            axis=1,
        )
        square = slope.T @ slope
        change = np.linalg.lstsq(square + damping * np.diag(square.diagonal()), -slope.T @ miss, rcond=None)[
            0
        ]
        tried = _misses(numbers + change, flat, there, camera)
        after = float(tried @ tried)
        if after < total:
            done = total - after < 1e-9 * total
            numbers, miss, total, damping = numbers + change, tried, after, damping / 10
            if done:
                break
        else:
            damping *= 10
            if damping > 1e6:
                break
    return numbers, total
