"""The convex outline of a set of points, and its corners."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

_SHORTEST = 3.0
_SLACK, _LEAST_SLACK = 0.06, 1.3
"""How far a point may be from a straight side (of the size of all, and in pixels) without being a corner."""


def hull(points: Points) -> Points:
    """The convex hull in order (Andrew's monotone chain)."""
    ordered = sorted({(float(x), float(y)) for x, y in points})
    if len(ordered) < 3:
        return np.array(ordered)
    return np.array(_chain(ordered)[:-1] + _chain(ordered[::-1])[:-1])


def _chain(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    chain: list[tuple[float, float]] = []
    for point in points:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def corners(outline: Points) -> Points:
    """The corners of a convex outline: points nearly on a line between their neighbours are left out."""
    left = outline
    slack = max(_LEAST_SLACK, _SLACK * float(np.ptp(outline, axis=0).max()))
    while len(left) > 3:
        before, after = np.roll(left, 1, axis=0), np.roll(left, -1, axis=0)
        side = after - before
        away = np.abs(side[:, 0] * (left - before)[:, 1] - side[:, 1] * (left - before)[:, 0])
        away = away / np.maximum(np.hypot(side[:, 0], side[:, 1]), 1e-9)
        least = int(away.argmin())
        if away[least] >= slack:
            break
        left = np.delete(left, least, axis=0)
    return _without_short_sides(left, max(_SHORTEST, 2 * slack))


def _without_short_sides(outline: Points, shortest: float) -> Points:
    """A corner that pixels have blunted is one corner."""
    left = outline.copy()
    while len(left) > 3:
        lengths = np.hypot(*(np.roll(left, -1, axis=0) - left).T)
        least = int(lengths.argmin())
        if lengths[least] >= shortest:
            break
        after = (least + 1) % len(left)
        left[least] = (left[least] + left[after]) / 2
        left = np.delete(left, after, axis=0)
    return left
