"""A picture of a part of the screen that is drawn on in screen coordinates; nothing is drawn outside of it."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, TypeAlias

from PIL import Image, ImageDraw

from desktop_agent.protocol.geometry import Rect, Size
from desktop_agent.simulation.fonts import Typeface
from desktop_agent.simulation.painting import masks

Align: TypeAlias = Literal["left", "middle", "right"]
MODE = "RGBX"
"""Pillow's name for four bytes a pixel. Ours hold blue, green, red, unused, as a captured frame does."""


_KEPT_PIXELS = 20_000
"""Boxes up to this size are kept, for a screen repeats them."""


class Sheet:
    """Draws on `image`, whose top left is the screen's pixel `x`, `y`. Inks are those of `look.ink`."""

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
        if width > 0 and height > 0:
            left, top = x - self._x, y - self._y
            self._draw.draw_rectangle((left, top, left + width - 1, top + height - 1), ink, 1, 0)

    def stamp(self, x: int, y: int, mask: masks.Mask, ink: int) -> None:
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
        top_left, top_right, bottom_left, bottom_right = masks.corners(radius)
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
        if rect.width * rect.height <= _KEPT_PIXELS:
            for y, part, mask in _box(rect.width, rect.height, radius, line, ink, thickness):
                self._stick(rect.x, rect.y + y, part, mask)
            return
        self.rounded(rect.x, rect.y, rect.width, rect.height, radius, line)
        width, height = rect.width - 2 * thickness, rect.height - 2 * thickness
        self.rounded(rect.x + thickness, rect.y + thickness, width, height, radius - thickness, ink)

    def _stick(self, x: int, y: int, image: Image.Image, mask: Image.Image | None) -> None:
        """Copy a picture here, through a mask if there is one. Pillow's own `paste` would first look at what it was given."""
        left, top = x - self._x, y - self._y
        box = (left, top, left + image.width, top + image.height)
        if mask is None:
            self._core.paste(image.im, box)
        else:
            self._core.paste(image.im, box, mask.im)

    def outline(self, rect: Rect, radius: int, ink: int, thickness: int) -> None:
        """A line with round corners just inside of `rect`."""
        x, y, right, bottom = rect.x, rect.y, rect.right, rect.bottom
        radius = min(radius, rect.width // 2, rect.height // 2)
        deep = max(radius, thickness)
        self.fill(x + radius, y, rect.width - 2 * radius, min(thickness, rect.height), ink)
        self.fill(x + radius, bottom - thickness, rect.width - 2 * radius, min(thickness, rect.height), ink)
        self.fill(x, y + deep, min(thickness, rect.width), rect.height - 2 * deep, ink)
        self.fill(right - thickness, y + deep, min(thickness, rect.width), rect.height - 2 * deep, ink)
        if radius > 0:
            top_left, top_right, bottom_left, bottom_right = masks.arcs(radius, min(thickness, radius))
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
        if x < rect.x or y < rect.y or x + wide > rect.right or y + high > rect.bottom:
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


@lru_cache(maxsize=512)
def _box(
    width: int, height: int, radius: int, line: int, ink: int, thickness: int
) -> tuple[tuple[int, Image.Image, Image.Image | None], ...]:
    """A framed box in up to three parts from top to bottom: how far below its top, the picture, and the mask where it has round corners."""
    radius = max(0, min(radius, width // 2, height // 2))
    sheet = blank_sheet(Rect(0, 0, width, height))
    sheet.fill(0, 0, width, height, line)
    sheet.rounded(
        thickness, thickness, width - 2 * thickness, height - 2 * thickness, radius - thickness, ink
    )
    if not radius:
        return ((0, sheet.image, None),)
    mask = Image.new("L", (width, height), 255)
    for number, corner in enumerate(masks.corners(radius)):
        across, down = number % 2, number // 2
        left, top = across * (width - radius), down * (height - radius)
        mask.im.paste(corner, (left, top, left + radius, top + radius))
    parts: list[tuple[int, Image.Image, Image.Image | None]] = []
    for top, bottom, is_round in (
        (0, radius, True),
        (radius, height - radius, False),
        (height - radius, height, True),
    ):
        if bottom > top:
            box = (0, top, width, bottom)
            parts.append((top, sheet.image.crop(box), mask.crop(box) if is_round else None))
    return tuple(parts)
