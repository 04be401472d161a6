"""Soft-edged shapes as Pillow masks (mode L), each made once: corners, discs, ticks, arrows, shadows, the mouse pointer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from PIL import Image, ImageChops, ImageDraw

Mask: TypeAlias = Any
"""Pillow's core image, as `draw_bitmap` takes it; Pillow gives it no type."""
Polygon: TypeAlias = Sequence[tuple[float, float]]
FINE = 8
"""Shapes are drawn so many times larger and then reduced: that is what softens their edges."""
POINTER: Polygon = ((0, 0), (0, 17), (4.1, 13.3), (6.7, 19.2), (9.6, 17.9), (7, 12.2), (12.4, 12.2))
POINTER_WIDTH, POINTER_HEIGHT = 16, 23


class Strip(NamedTuple):
    """A part of a shadow: its place from the top left of what casts it, and its mask."""

    x: int
    y: int
    mask: Mask


@lru_cache(maxsize=256)
def corners(radius: int) -> tuple[Mask, Mask, Mask, Mask]:
    """The quarters of a disc: top left, top right, bottom left, bottom right."""
    return _quarters(_disc(2 * radius, 2 * radius), radius)


def _quarters(whole: Image.Image, radius: int) -> tuple[Mask, Mask, Mask, Mask]:
    boxes = ((0, 0), (radius, 0), (0, radius), (radius, radius))
    cut = [whole.crop((x, y, x + radius, y + radius)).im for x, y in boxes]
    return cut[0], cut[1], cut[2], cut[3]


@lru_cache(maxsize=64)
def arcs(radius: int, thickness: int) -> tuple[Mask, Mask, Mask, Mask]:
    """The quarters of a ring, in the order of `corners`."""
    whole = _disc(2 * radius, 2 * radius)
    inner = 2 * (radius - thickness)
    if inner > 0:
        hole = Image.new("L", whole.size)
        hole.paste(_disc(inner, inner), (thickness, thickness))
        whole = ImageChops.subtract(whole, hole)
    return _quarters(whole, radius)


@lru_cache(maxsize=512)
def ellipse(width: int, height: int) -> Mask:
    """A filled ellipse of this size."""
    return _disc(width, height).im


def _disc(width: int, height: int) -> Image.Image:
    large, draw = _large(width, height)
    draw.ellipse((0, 0, width * FINE - 1, height * FINE - 1), fill=255)
    return large.reduce(FINE)


@lru_cache(maxsize=128)
def veil(width: int, height: int, radius: int, opacity: int) -> Mask:
    """A rounded rectangle that lets what is below shine through; `opacity` to 255."""
    large, draw = _large(width, height)
    box = (0, 0, width * FINE - 1, height * FINE - 1)
    draw.rounded_rectangle(box, radius * FINE, fill=opacity)
    return large.reduce(FINE).im


@lru_cache(maxsize=64)
def tick(size: int) -> Mask:
    """The mark of a ticked box."""
    return _stroke(size, ((0.22, 0.53), (0.42, 0.73), (0.79, 0.29)), 0.13)


@lru_cache(maxsize=64)
def cross(size: int) -> Mask:
    """The × that closes."""
    large, draw = _large(size, size)
    for points in (((0.27, 0.27), (0.73, 0.73)), ((0.27, 0.73), (0.73, 0.27))):
        _line(draw, size, points, 0.1)
    return large.reduce(FINE).im


@lru_cache(maxsize=64)
def chevron(size: int, towards: Literal["down", "right"]) -> Mask:
    """An open arrow."""
    down = ((0.22, 0.37), (0.5, 0.65), (0.78, 0.37))
    points = down if towards == "down" else tuple((y, x) for x, y in down)
    return _stroke(size, points, 0.12)


@lru_cache(maxsize=256)
def line(width: int, height: int, points: tuple[int, int, int, int], thickness: int) -> Mask:
    """A line in a picture of this size; `points` are its ends x, y, x, y in it."""
    large, draw = _large(width, height)
    ends = [((points[i] + 0.5) * FINE, (points[i + 1] + 0.5) * FINE) for i in (0, 2)]
    _rounded_line(draw, ends, thickness * FINE)
    return large.reduce(FINE).im


@cache
def pointer() -> tuple[Mask, Mask]:
    """The arrow of the mouse with its rim, and the arrow alone; both POINTER_WIDTH by POINTER_HEIGHT, 1 pixel for the rim."""
    rim, draw = _large(POINTER_WIDTH, POINTER_HEIGHT)
    points = [((x + 1.2) * FINE, (y + 1.2) * FINE) for x, y in POINTER]
    draw.polygon(points, fill=255)
    arrow = rim.copy()
    _rounded_line(draw, [*points, points[0]], round(2.4 * FINE))
    return rim.reduce(FINE).im, arrow.reduce(FINE).im


@lru_cache(maxsize=128)
def shadow(width: int, height: int, reach: int, above: int, below: int, opacity: int) -> tuple[Strip, ...]:
    """The shadow around something of this size: it fades within `reach` pixels outside of it.

    `above` and `below` are how far the upper and the lower side reach under it, so that it shows at round corners.

    A rectangle's shadow is the product of one across and one down, so that only its four sides need to be made.
    """
    across = _fading(width, reach, 255)
    down = _fading(height, reach, opacity)
    wide, high = width + 2 * reach, height + 2 * reach
    upper, lower = min(reach + above, high // 2), max(high - reach - below, high // 2)
    sides = (
        (0, 0, wide, upper),
        (0, lower, wide, high),
        (0, upper, reach, lower),
        (wide - reach, upper, wide, lower),
    )
    strips: list[Strip] = []
    for left, top, right, bottom in sides:
        size = (right - left, bottom - top)
        if min(size) > 0:
            one = across.crop((left, 0, right, 1)).resize(size, Image.Resampling.NEAREST)
            other = down.crop((top, 0, bottom, 1)).transpose(Image.Transpose.ROTATE_270)
            product = ImageChops.multiply(one, other.resize(size, Image.Resampling.NEAREST))
            strips.append(Strip(left - reach, top - reach, product.im))
    return tuple(strips)


def _fading(length: int, reach: int, most: int) -> Image.Image:
    """A row of pixels that rises to `most` over twice the reach, stays there, and falls likewise."""
    values = bytearray()
    for place in range(length + 2 * reach):
        depth = min(place + 0.5, length + 2 * reach - place - 0.5) / (2 * reach)
        share = min(1.0, depth)
        values.append(round(most * share * share * (3 - 2 * share)))
    return Image.frombytes("L", (len(values), 1), bytes(values))


def _large(width: int, height: int) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    large = Image.new("L", (max(1, width) * FINE, max(1, height) * FINE))
    return large, ImageDraw.Draw(large)


def _stroke(size: int, points: Polygon, thickness: float) -> Mask:
    large, draw = _large(size, size)
    _line(draw, size, points, thickness)
    return large.reduce(FINE).im


def _line(draw: ImageDraw.ImageDraw, size: int, points: Polygon, thickness: float) -> None:
    """A line through points that are shares of the size; so is its thickness."""
    scaled = [(x * size * FINE, y * size * FINE) for x, y in points]
    _rounded_line(draw, scaled, round(max(1.5, thickness * size) * FINE))


def _rounded_line(draw: ImageDraw.ImageDraw, points: Polygon, width: int) -> None:
    draw.line([coordinate for point in points for coordinate in point], fill=255, width=width)
    half = width / 2
    for x, y in points:
        draw.ellipse((x - half, y - half, x + half - 1, y + half - 1), fill=255)
