"""Shapes in a picture: flat areas of one colour, with their outline, as circle, triangle, rectangle or polygon."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from desktop_agent.llm.offline.colour_names import Colour
from desktop_agent.llm.offline.colour_regions import Region, regions
from desktop_agent.llm.offline.hull import corners, hull
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.capture.frame import Frame

SMALLEST = 14
"""Pixels of the smallest shape; less is the edge of another, or dirt."""

NARROWEST = 4
"""Pixels; what is narrower is a line."""

_WIDEST_OUTLINE = 6
# How much of the circle around it a shape fills to be one itself, by that circle's radius: few pixels make rough circles.
_ROUND = ((5.0, 0.7), (9.0, 0.83), (math.inf, 0.905))
# So few pixels make no corners to count; what fills about half of its bounds is a triangle then.
_COARSE, _HALF = 14, 0.7


@dataclass(frozen=True)
class Shape:
    """`kind` is circle, square, rectangle, triangle, polygon (with more than four `sides`); `sides` is 0
    for what is round. `colour` is that of its inside, `outline` that of a line around it, None when it has none."""

    kind: str
    sides: int
    bounds: Rect
    colour: Colour
    outline: Colour | None = None


def shapes(frame: Frame, area: Rect, without: Sequence[Rect] = ()) -> tuple[Shape, ...]:
    """The shapes in a part of the screen, top to bottom; what lies within one of `without` is none.

    What reaches to the edge of the area is its background.
    """
    part = area.intersection(frame.region)
    if part.empty or len(frame.pixels) != 4 * frame.region.width * frame.region.height:
        return ()  # a look without a picture
    pixels = np.frombuffer(frame.pixels, np.uint8).reshape(frame.region.height, frame.region.width, 4)
    top, left = part.y - frame.region.y, part.x - frame.region.x
    found = regions(pixels[top : top + part.height, left : left + part.width, 2::-1])
    kept = [each for each in found if each.area >= SMALLEST and not _touches(each, part)]
    made = [(each, each.bounds.moved(part.x, part.y)) for each in kept]
    made = [(each, place) for each, place in made if not any(_inside(place, other) for other in without)]
    return tuple(
        _shape(*each) for each in _with_rings(made) if min(each[1].width, each[1].height) >= NARROWEST
    )


def _touches(region: Region, part: Rect) -> bool:
    bounds = region.bounds
    return bounds.x == 0 or bounds.y == 0 or bounds.right == part.width or bounds.bottom == part.height


def _inside(one: Rect, other: Rect) -> bool:
    return one.intersection(other.grown(2, 2)) == one


def _with_rings(
    found: Sequence[tuple[Region, Rect]],
) -> Iterator[tuple[Region, Rect, tuple[Rect, Colour] | None]]:
    """Each region with the thin line around it, which is no shape of its own."""
    rings = [(region, place) for region, place in found if region.hollow]
    used: set[int] = set()
    for region, place in found:
        around = next((ring for ring in rings if ring[0] is not region and _frames(ring[1], place)), None)
        if around is not None:
            used.add(id(around[0]))
            yield region, around[1], (around[1], around[0].colour)
        elif not region.hollow:
            yield region, place, None
    for region, place in rings:
        if id(region) not in used and not any(
            _inside(other, place) for _, other in found if other is not place
        ):
            yield region, place, None


def _frames(ring: Rect, inner: Rect) -> bool:
    gaps = (inner.x - ring.x, inner.y - ring.y, ring.right - inner.right, ring.bottom - inner.bottom)
    return all(0 <= gap <= _WIDEST_OUTLINE for gap in gaps) and sum(gaps) > 0


def _shape(region: Region, place: Rect, ring: tuple[Rect, Colour] | None) -> Shape:
    kind, sides = _kind(region)
    return Shape(kind, sides, place, region.colour, ring[1] if ring else None)


def _kind(region: Region) -> tuple[str, int]:
    points = hull(region.edge)
    width, height = region.bounds.width, region.bounds.height
    fullness, reach = _fullness(points)
    if fullness >= next(least for radius, least in _ROUND if reach < radius) and 0.8 < width / height < 1.25:
        return "circle", 0
    solid = region.solid_area / (width * height)
    sides = 3 if max(width, height) < _COARSE and solid < _HALF else len(corners(points))
    if sides == 4:
        return ("square" if solid >= 0.9 and abs(width - height) <= max(1, width // 10) else "rectangle"), 4
    return ("triangle" if sides == 3 else "polygon"), sides


def _fullness(points: NDArray[np.float64]) -> tuple[float, float]:
    """The share of the circle around it that a convex outline fills, and that circle's radius."""
    x, y = points[:, 0], points[:, 1]
    area = abs(float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2
    centre = (points.max(axis=0) + points.min(axis=0)) / 2
    reach = float(np.hypot(*(points - centre).T).max())
    return area / (math.pi * reach * reach), reach
