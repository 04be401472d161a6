"""A picture of a part of the screen that is drawn on in screen coordinates; nothing is drawn outside of it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from PIL import Image, ImageDraw

from desktop_agent.extras.avis.simulation.drawing.fonts import Typeface
from desktop_agent.extras.avis.simulation.painting import shape_masks
from desktop_agent.protocol.geometry import Rect, Size

Align: TypeAlias = Literal["left", "middle", "right"]
Core: TypeAlias = Any
"""Pillow's picture below `Image.im`; drawn on directly, for the methods of Image first look at what they were given."""
MODE = "RGBX"
"""Pillow's name for four bytes a pixel. Ours hold blue, green, red, unused, as a captured frame does."""


_KEPT_PIXELS = 20_000
"""Boxes up to this size are kept, for a screen repeats them."""


class Sheet:
    """Draws on `image`, whose top left is the screen's pixel `x`, `y`. Inks are those of `PreparedTheme.ink`."""

    def __init__(self, image: Image.Image, x: int, y: int) -> None:
        self.image = image
        self._x, self._y = x, y
        self._draw = ImageDraw.Draw(image).draw
        self._core = image.im

    @property
    def area(self) -> Rect:
        """The part of the screen that is drawn on."""
        return Rect(self._x, self._y, self.image.width, self.image.height)

    def cut(self, area: Rect) -> Sheet:
        """A sheet with a copy of this part, which has to lie in this sheet."""
        left, top = area.x - self._x, area.y - self._y
        return Sheet(self.image.crop((left, top, left + area.width, top + area.height)), area.x, area.y)

    def put(self, image: Image.Image, x: int, y: int) -> None:
        """Copy a picture of the same mode here."""
        self.image.paste(image, (x - self._x, y - self._y))

    def fill(self, x: int, y: int, width: int, height: int, ink: int) -> None:
        if width * height > _KEPT_PIXELS and width > 0:
            self._fill_large(Rect(x, y, width, height), ink)
        elif width > 0 and height > 0:
            left, top = x - self._x, y - self._y
            self._draw.draw_rectangle((left, top, left + width - 1, top + height - 1), ink, 1, 0)

    def _fill_large(self, rect: Rect, ink: int) -> None:
        """Copies rows of the ink: Pillow copies several times faster than it fills."""
        part = rect.intersection(self.area)
        if part.empty:
            return
        rows = _rows(part.width, ink)
        left, bottom = part.x - self._x, part.bottom - self._y
        for top in range(part.y - self._y, bottom, _ROWS):
            if top + _ROWS <= bottom:
                self._core.paste(rows, (left, top, left + part.width, top + _ROWS))
            else:
                self._draw.draw_rectangle((left, top, left + part.width - 1, bottom - 1), ink, 1, 0)

    def stamp(self, x: int, y: int, mask: shape_masks.Mask, ink: int) -> None:
        """The ink through a mask."""
        self._draw.draw_bitmap((x - self._x, y - self._y), mask, ink)

    def rounded(
        self, x: int, y: int, width: int, height: int, radius: int, ink: int, *, below: bool = True
    ) -> None:
        """A filled rectangle with round corners; only the upper ones where not `below`."""
        radius = min(radius, width // 2, height // 2)
        if radius <= 0:
            self.fill(x, y, width, height, ink)
            return
        top_left, top_right, bottom_left, bottom_right = shape_masks.corners(radius)
        right = x + width - radius
        self.fill(x + radius, y, width - 2 * radius, radius, ink)
        self.stamp(x, y, top_left, ink)
        self.stamp(right, y, top_right, ink)
        if not below:
            self.fill(x, y + radius, width, height - radius, ink)
            return
        bottom = y + height - radius
        self.fill(x, y + radius, width, height - 2 * radius, ink)
        self.fill(x + radius, bottom, width - 2 * radius, radius, ink)
        self.stamp(x, bottom, bottom_left, ink)
        self.stamp(right, bottom, bottom_right, ink)

    def framed(self, rect: Rect, radius: int, line: int, ink: int, thickness: int = 1) -> None:
        """A filled rectangle with round corners and a line around it, inside of `rect`."""
        width, height = rect.width, rect.height
        if width <= 0 or height <= 0:
            return
        if width * height > _KEPT_PIXELS:
            self._large_framed(rect, radius, line, ink, thickness)
            return
        left, top = rect.x - self._x, rect.y - self._y
        for part in _box(width, height, radius, line, ink, thickness):
            box = (left, top + part.top, left + width, top + part.bottom)
            if part.mask is None:
                self._core.paste(part.picture, box)
            else:
                self._core.paste(part.picture, box, part.mask)

    def _large_framed(self, rect: Rect, radius: int, line: int, ink: int, thickness: int) -> None:
        """As if two round rectangles lay on each other, but what the inner one hides of the outer is not drawn."""
        x, y, width, height = rect.x, rect.y, rect.width, rect.height
        radius = min(radius, width // 2, height // 2)
        across, down = width - 2 * radius, height - 2 * radius
        self.fill(x + radius, y, across, thickness, line)
        self.fill(x + radius, rect.bottom - thickness, across, thickness, line)
        self.fill(x, y + radius, thickness, down, line)
        self.fill(rect.right - thickness, y + radius, thickness, down, line)
        if radius > 0:
            for number, corner in enumerate(shape_masks.corners(radius)):
                right, below = number % 2, number // 2
                self.stamp(x + right * (width - radius), y + below * (height - radius), corner, line)
        inner = rect.grown(-thickness, -thickness)
        self.rounded(inner.x, inner.y, inner.width, inner.height, radius - thickness, ink)

    def outline(self, rect: Rect, radius: int, ink: int, thickness: int) -> None:
        """A line with round corners just inside of `rect`."""
        x, y, right, bottom = rect.x, rect.y, rect.right, rect.bottom
        radius = max(0, min(radius, rect.width // 2, rect.height // 2))
        deep = max(radius, thickness)
        self.fill(x + radius, y, rect.width - 2 * radius, min(thickness, rect.height), ink)
        self.fill(x + radius, bottom - thickness, rect.width - 2 * radius, min(thickness, rect.height), ink)
        self.fill(x, y + deep, min(thickness, rect.width), rect.height - 2 * deep, ink)
        self.fill(right - thickness, y + deep, min(thickness, rect.width), rect.height - 2 * deep, ink)
        if radius > 0:
            top_left, top_right, bottom_left, bottom_right = shape_masks.arcs(radius, min(thickness, radius))
            self.stamp(x, y, top_left, ink)
            self.stamp(right - radius, y, top_right, ink)
            self.stamp(x, bottom - radius, bottom_left, ink)
            self.stamp(right - radius, bottom - radius, bottom_right, ink)

    def write(self, rect: Rect, face: Typeface, text: str, ink: int, align: Align = "left") -> None:
        """A line of text in the middle of the rect's height; what does not fit is cut off."""
        if not text or text.isspace():
            return
        mask, (left, top) = face.mask(text)
        room = rect.width - face.width(text)
        x = rect.x + left + (0 if align == "left" else room // 2 if align == "middle" else room)
        y = rect.y + top + (rect.height - face.line) // 2
        wide, high = mask.size
        if x < rect.x or y < rect.y or x + wide > rect.x + rect.width or y + high > rect.y + rect.height:
            inside = Rect(x, y, wide, high).intersection(rect)
            if inside.empty:
                return
            mask = mask.crop((inside.x - x, inside.y - y, inside.right - x, inside.bottom - y))
            x, y = inside.x, inside.y
        self.stamp(x, y, mask, ink)

    def fit(self, rect: Rect, face: Typeface, text: str, ink: int, align: Align = "left") -> None:
        """A line of text, shortened where it does not fit."""
        self.write(rect, face, face.shortened(text, rect.width), ink, align)


def blank_sheet(area: Rect) -> Sheet:
    """A sheet for a part of the screen, with a picture of its own."""
    return Sheet(Image.new(MODE, (area.width, area.height)), area.x, area.y)


def shared_image(size: Size, memory: bytearray) -> Image.Image:
    """A picture whose pixels are those bytes: what is drawn is in them at once, and `bytes(memory)` is all that a copy takes."""
    image = Image.frombuffer(MODE, (size.width, size.height), memory, "raw", MODE, 0, 1)
    image.readonly = 0  # it is set for memory that might be; a bytearray is not
    return image


_ROWS = 32
"""Height of the pictures that large areas are filled with."""


@lru_cache(maxsize=16)
def _rows(width: int, ink: int) -> Core:
    rows = blank_sheet(Rect(0, 0, width, _ROWS))
    rows._draw.draw_rectangle((0, 0, width - 1, _ROWS - 1), ink, 1, 0)
    return rows.image.im


class _Part(NamedTuple):
    """Some rows of a box; `mask` where there are round corners in them."""

    top: int
    bottom: int
    picture: Core
    mask: shape_masks.Mask | None


@lru_cache(maxsize=512)
def _box(width: int, height: int, radius: int, line: int, ink: int, thickness: int) -> tuple[_Part, ...]:
    """A framed box, in parts from top to bottom."""
    radius = max(0, min(radius, width // 2, height // 2))
    sheet = blank_sheet(Rect(0, 0, width, height))
    sheet.fill(0, 0, width, height, line)
    sheet.rounded(
        thickness, thickness, width - 2 * thickness, height - 2 * thickness, radius - thickness, ink
    )
    if not radius:
        return (_Part(0, height, sheet.image.im, None),)
    mask = Image.new("L", (width, height), 255)
    for number, corner in enumerate(shape_masks.corners(radius)):
        left, top = number % 2 * (width - radius), number // 2 * (height - radius)
        mask.im.paste(corner, (left, top, left + radius, top + radius))
    parts: list[_Part] = []
    for top, bottom in ((0, radius), (radius, height - radius), (height - radius, height)):
        box = (0, top, width, bottom)
        corners = top == 0 or bottom == height
        if bottom > top:
            kept = mask.crop(box).im if corners else None
            parts.append(_Part(top, bottom, sheet.image.crop(box).im, kept))
    return tuple(parts)
