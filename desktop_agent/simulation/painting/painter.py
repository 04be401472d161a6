"""Draws a simulated screen: pieces of a theme become pixels, and only what differs from the last time is drawn."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from desktop_agent.protocol.geometry import Rect, Size
from desktop_agent.simulation.drawing.pieces import ScreenPiece
from desktop_agent.simulation.drawing.scene_theme import SceneTheme
from desktop_agent.simulation.painting.difference import changed, joined
from desktop_agent.simulation.painting.drawers import MARGIN, draw, extent, hides, meet, reach
from desktop_agent.simulation.painting.prepared_theme import PreparedTheme
from desktop_agent.simulation.painting.sheet import Sheet, blank_sheet, shared_image


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
