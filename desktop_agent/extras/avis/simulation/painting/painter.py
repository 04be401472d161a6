"""Draws a simulated screen: pieces of a theme become pixels, and only what differs from the last time is drawn."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence

from PIL import Image

from desktop_agent.extras.avis.simulation.drawing.pieces import ScreenPiece
from desktop_agent.extras.avis.simulation.drawing.scene_theme import SceneTheme
from desktop_agent.extras.avis.simulation.painting.drawers import MARGIN, draw, extent, hides, meet, reach
from desktop_agent.extras.avis.simulation.painting.prepared_theme import PreparedTheme
from desktop_agent.extras.avis.simulation.painting.sheet import Sheet, blank_sheet, shared_image
from desktop_agent.protocol.geometry import Rect, Size, bounding_box

FEW = 24
"""With more pieces changed than this, it is looked whether they only stand elsewhere in the list."""
MANY = 64
"""With more rectangles than this, the one around all is drawn: joining them takes longer."""
_A_PART = 6_000
"""Square pixels that may be drawn in vain to save a further part: what the beginning of one costs."""


class Painter:
    """Keeps a picture of the screen. The same pieces and theme give the same bytes, whatever was drawn before."""

    def __init__(self, size: Size) -> None:
        self._screen = Rect(0, 0, size.width, size.height)
        self._memory = bytearray(4 * size.width * size.height)
        self._sheet = Sheet(shared_image(size, self._memory), 0, 0)
        self._pieces: Sequence[ScreenPiece] = ()
        self._theme: SceneTheme | None = None
        self._look: PreparedTheme | None = None

    def paint(self, pieces: Sequence[ScreenPiece], theme: SceneTheme) -> list[Rect]:
        """Draws the pieces, back to front. Returns the parts of the screen that were drawn again."""
        if self._look is None or (theme is not self._theme and theme != self._theme):
            self._theme, self._look = theme, PreparedTheme(theme)
            dirty = [self._screen]
        else:
            dirty = joined([reach(piece) for piece in changed(self._pieces, pieces)], self._screen)
        self._pieces = tuple(pieces)
        for area in dirty:
            self._repaint(area, self._look)
        return dirty

    def _repaint(self, area: Rect, look: PreparedTheme) -> None:
        sheet = self._sheet if area == self._screen else blank_sheet(area)
        for piece in _showing(self._pieces, area, look.window_radius + 1):
            draw(sheet, look, piece)
        if sheet is not self._sheet:
            self._sheet.put(sheet.image, area.x, area.y)

    def pixels(self, area: Rect) -> bytes:
        """The pixels of this part of the screen, 4 bytes each (B, G, R, unused), rows without padding.

        Raises ValueError when it is not on the screen.
        """
        if area == self._screen:
            return bytes(self._memory)
        part, memory = area.intersection(self._screen), memoryview(self._memory)
        if part != area:
            raise ValueError(f"{area} is not on the screen of {self._screen.size}")
        row = 4 * self._screen.width
        starts = range(area.y * row + 4 * area.x, area.bottom * row + 4 * area.x, row)
        return b"".join([memory[start : start + 4 * area.width] for start in starts])

    def pixels_under(self, piece: ScreenPiece, area: Rect) -> bytes:
        """The pixels of this part of the screen with a piece drawn over them that is not painted."""
        if self._look is None or reach(piece).intersection(area).empty:
            return self.pixels(area)
        memory = bytearray(self.pixels(area))
        draw(Sheet(shared_image(area.size, memory), area.x, area.y), self._look, piece)
        return bytes(memory)

    def image(self) -> Image.Image:
        """The whole screen as an RGB picture."""
        blue, green, red, _ = self._sheet.image.split()
        return Image.merge("RGB", (red, green, blue))


def _showing(pieces: Sequence[ScreenPiece], area: Rect, corner: int) -> list[ScreenPiece]:
    """The pieces to draw in the area, back to front: those from the last one that hides all behind it."""
    left, top, right, bottom = area.x - MARGIN, area.y - MARGIN, area.right + MARGIN, area.bottom + MARGIN
    found: list[ScreenPiece] = []
    for piece in reversed(pieces):
        rect = piece.rect  # the sums are written out, for this is asked of every piece at each change
        if (
            rect.x >= right or rect.y >= bottom or rect.x + rect.width <= left or rect.y + rect.height <= top
        ) and piece.kind != "shape":
            continue
        if not meet(extent(piece), piece.clip, area):
            continue
        found.append(piece)
        if hides(piece, area, corner):
            break
    return found[::-1]


def changed(before: Sequence[ScreenPiece], after: Sequence[ScreenPiece]) -> list[ScreenPiece]:
    """The pieces that went, came, or stand in another order than before."""
    if len(before) == len(after):
        pairs = [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]
        if len(pairs) <= FEW:
            return [piece for pair in pairs for piece in pair]
    first = _alike(before, after)
    last = _alike(before[first:][::-1], after[first:][::-1])
    return list(_rearranged(before[first : len(before) - last], after[first : len(after) - last]))


def _alike(one: Sequence[ScreenPiece], other: Sequence[ScreenPiece]) -> int:
    """How many pieces are the same from the beginning."""
    for number, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return number
    return min(len(one), len(other))


def _rearranged(before: Sequence[ScreenPiece], after: Sequence[ScreenPiece]) -> Iterator[ScreenPiece]:
    """All but the longest series of pieces that both lists have in the same order."""
    places: dict[ScreenPiece, deque[int]] = defaultdict(deque)
    for place, piece in enumerate(before):
        places[piece].append(place)
    kept: list[int] = []
    for piece in after:
        if places.get(piece):
            kept.append(places[piece].popleft())
        else:
            yield piece
    staying = set(_rising(kept))
    yield from (piece for place, piece in enumerate(before) if place not in staying)


def _rising(numbers: Sequence[int]) -> list[int]:
    """The longest rising series in the numbers, none of which is there twice."""
    ends: list[int] = []
    chains: list[tuple[int, int]] = []
    at: list[int] = []
    for index, number in enumerate(numbers):
        length = bisect_left(ends, number)
        previous = at[length - 1] if length else -1
        chains.append((number, previous))
        if length == len(ends):
            ends.append(number)
            at.append(index)
        else:
            ends[length], at[length] = number, index
    found: list[int] = []
    index = at[-1] if at else -1
    while index >= 0:
        number, index = chains[index]
        found.append(number)
    return found[::-1]


def joined(rects: Sequence[Rect], screen: Rect) -> list[Rect]:
    """The parts of the screen to draw for these rectangles: few, and not much larger than they are."""
    parts = list(
        dict.fromkeys(part for part in (each.intersection(screen) for each in rects) if not part.empty)
    )
    if len(parts) > MANY:
        parts = [bounding_box(parts)]
    waiting = True
    while waiting:
        waiting = False
        for place, part in enumerate(parts):
            partner = _partner(part, parts[place + 1 :])
            if partner is not None:
                parts = [each for each in parts if each not in (part, partner)]
                parts.append(bounding_box((part, partner)))
                waiting = True
                break
    if sum(part.area for part in parts) > 0.6 * screen.area:
        return [screen]
    return parts


def _partner(part: Rect, others: Sequence[Rect]) -> Rect | None:
    """Another rectangle that is better drawn together with this one."""
    for other in others:
        around = bounding_box((part, other))
        if around.area <= part.area + other.area + _A_PART:
            return other
    return None
