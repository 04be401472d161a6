"""Points, rectangles and monitor layouts in screen pixels, and the only conversion between image and screen."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable

import msgspec

from desktop_agent.protocol.errors import OutOfBounds


class Point(msgspec.Struct, frozen=True):
    """A pixel of the virtual desktop; negative left of or above the primary monitor."""

    x: int
    y: int


class Size(msgspec.Struct, frozen=True):
    """Width and height in pixels."""

    width: int
    height: int


class Rect(msgspec.Struct, frozen=True):
    """A rectangle of screen pixels: `x, y` is the top left pixel, `right`/`bottom` are exclusive."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        return self.x + self.width

    @property
    def bottom(self) -> int:
        return self.y + self.height

    @property
    def size(self) -> Size:
        return Size(self.width, self.height)

    @property
    def center(self) -> Point:
        return Point(self.x + self.width // 2, self.y + self.height // 2)

    def contains(self, point: Point) -> bool:
        return self.x <= point.x < self.right and self.y <= point.y < self.bottom

    def moved(self, x: int, y: int) -> Rect:
        """The rectangle shifted right by `x` and down by `y` pixels."""
        return Rect(self.x + x, self.y + y, self.width, self.height)

    def intersection(self, other: Rect) -> Rect:
        """The common part; `empty` when there is none."""
        left, top = max(self.x, other.x), max(self.y, other.y)
        width = max(0, min(self.right, other.right) - left)
        height = max(0, min(self.bottom, other.bottom) - top)
        return Rect(left, top, width, height)

    def grown(self, x: int, y: int) -> Rect:
        """Larger by so many pixels on the left and on the right (x), above and below (y)."""
        return Rect(self.x - x, self.y - y, self.width + 2 * x, self.height + 2 * y)

    def without(self, cover: Rect) -> list[Rect]:
        """This rectangle minus `cover`, in at most four parts that do not overlap."""
        common = self.intersection(cover)
        if common.empty:
            return [self]
        parts = (
            Rect(self.x, self.y, self.width, common.y - self.y),
            Rect(self.x, common.bottom, self.width, self.bottom - common.bottom),
            Rect(self.x, common.y, common.x - self.x, common.height),
            Rect(common.right, common.y, self.right - common.right, common.height),
        )
        return [part for part in parts if not part.empty]

    @property
    def area(self) -> int:
        """In square pixels."""
        return self.width * self.height

    @property
    def empty(self) -> bool:
        return self.width <= 0 or self.height <= 0


def bounding_box(rects: Collection[Rect]) -> Rect:
    """The smallest rectangle around all of them. Raises ValueError when there is none."""
    left, top = min(each.x for each in rects), min(each.y for each in rects)
    return Rect(left, top, max(each.right for each in rects) - left, max(each.bottom for each in rects) - top)


def uncovered(rect: Rect, covers: Iterable[Rect]) -> list[Rect]:
    """The rectangle minus all covers, in parts that do not overlap."""
    pieces = [rect]
    for cover in covers:
        pieces = [rest for piece in pieces for rest in piece.without(cover)]
    return pieces


class Geometry(msgspec.Struct, frozen=True):
    """The layout of a target's screens.

    `monitors` are in virtual desktop pixels, the primary first. `epoch` is a fingerprint of the
    layout: two processes that see the same layout compute the same epoch, and any change of size,
    position or scale changes it.
    """

    monitors: tuple[Rect, ...]
    epoch: int

    @property
    def bounds(self) -> Rect:
        """The smallest rectangle around all monitors."""
        return bounding_box(self.monitors)

    def visible(self, point: Point) -> bool:
        """True when the point lies on a monitor (the virtual desktop may have holes)."""
        return any(m.contains(point) for m in self.monitors)


def layout(monitors: tuple[Rect, ...]) -> Geometry:
    """The geometry of these monitors, the primary first; its epoch is a checksum (CRC-32) of the layout."""
    words = ";".join(f"{m.x},{m.y},{m.width},{m.height}" for m in monitors)
    return Geometry(monitors, zlib.crc32(words.encode()))


class Viewport(msgspec.Struct, frozen=True):
    """Ties an image the model sees to the part of the screen it shows.

    `region` is in screen pixels, `image` the size of the picture, `epoch` the geometry's epoch when
    the picture was taken. Coordinates from a model are image pixels and are converted only here.
    """

    region: Rect
    image: Size
    epoch: int

    def to_screen(self, x: int, y: int) -> Point:
        """Image pixel → the screen pixel at its centre.

        Raises OutOfBounds when the pixel is not in the image; nothing is clamped.
        """
        if not (0 <= x < self.image.width and 0 <= y < self.image.height):
            raise OutOfBounds(
                f"{x},{y} is outside the picture of {self.image.width}x{self.image.height}.",
                "Use coordinates inside the picture.",
            )
        return Point(
            self.region.x + (2 * x + 1) * self.region.width // (2 * self.image.width),
            self.region.y + (2 * y + 1) * self.region.height // (2 * self.image.height),
        )

    def rect_to_screen(self, rect: Rect) -> Rect:
        """A rectangle of the picture → the screen pixels that it shows any of. Raises OutOfBounds."""
        for x, y in ((rect.x, rect.y), (rect.right - 1, rect.bottom - 1)):
            self.to_screen(x, y)
        wide, high = self.region.width, self.region.height
        left, top = rect.x * wide // self.image.width, rect.y * high // self.image.height
        right, bottom = -(-rect.right * wide // self.image.width), -(-rect.bottom * high // self.image.height)
        return Rect(self.region.x + left, self.region.y + top, right - left, bottom - top)

    def to_image(self, point: Point) -> Point:
        """Screen pixel → the image pixel that shows its centre, the inverse of `to_screen`.

        Raises OutOfBounds when the point is not in the region.
        """
        if not self.region.contains(point):
            raise OutOfBounds(f"{point.x},{point.y} is outside the visible region.")
        return Point(
            (2 * (point.x - self.region.x) + 1) * self.image.width // (2 * self.region.width),
            (2 * (point.y - self.region.y) + 1) * self.image.height // (2 * self.region.height),
        )

    def rect_to_image(self, rect: Rect) -> Rect:
        """The part of a screen rectangle that is visible, in image pixels; empty when none is."""
        part = rect.intersection(self.region)
        if part.empty:
            return Rect(0, 0, 0, 0)
        top_left = self.to_image(Point(part.x, part.y))
        bottom_right = self.to_image(Point(part.right - 1, part.bottom - 1))
        return Rect(
            top_left.x,
            top_left.y,
            bottom_right.x - top_left.x + 1,
            bottom_right.y - top_left.y + 1,
        )
