"""Draws a simulated screen: pieces of a theme become pixels, and only what differs from the last time is drawn."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from desktop_agent.protocol.geometry import Rect, Size
from desktop_agent.simulation.painting.difference import changed, joined
from desktop_agent.simulation.painting.drawers import MARGIN, draw, hides, reach
from desktop_agent.simulation.painting.look import Look
from desktop_agent.simulation.painting.sheet import MODE, Sheet
from desktop_agent.simulation.pieces import Piece
from desktop_agent.simulation.theme import Theme


class Painter:
    """Keeps a picture of the screen. The same pieces and theme give the same bytes, whatever was drawn before."""

    def __init__(self, size: Size) -> None:
        self._screen = Rect(0, 0, size.width, size.height)
        self._image = Image.new(MODE, (size.width, size.height))
        self._pieces: Sequence[Piece] = ()
        self._theme: Theme | None = None
        self._look: Look | None = None

    def paint(self, pieces: Sequence[Piece], theme: Theme) -> list[Rect]:
        """Draws the pieces, back to front. Returns the parts of the screen that were drawn again."""
        if self._look is None or (theme is not self._theme and theme != self._theme):
            self._theme, self._look = theme, Look(theme)
            dirty = [self._screen]
        else:
            dirty = joined([reach(piece) for piece in changed(self._pieces, pieces)], self._screen)
        self._pieces = tuple(pieces)
        for area in dirty:
            self._repaint(area, self._look)
        return dirty

    def _repaint(self, area: Rect, look: Look) -> None:
        sheet = Sheet(Image.new(MODE, (area.width, area.height)), area.x, area.y)
        for piece in _showing(self._pieces, area, look.window_radius + 1):
            draw(sheet, look, piece)
        if area == self._screen:
            self._image = sheet.image
        else:
            self._image.paste(sheet.image, (area.x, area.y))

    def pixels(self, area: Rect) -> bytes:
        """The pixels of this part of the screen, 4 bytes each (B, G, R, unused), rows without padding."""
        if area == self._screen:
            return self._image.tobytes()
        return self._image.crop((area.x, area.y, area.right, area.bottom)).tobytes()

    def image(self) -> Image.Image:
        """The whole screen as an RGB picture."""
        blue, green, red, _ = self._image.split()
        return Image.merge("RGB", (red, green, blue))


def _showing(pieces: Sequence[Piece], area: Rect, corner: int) -> list[Piece]:
    """The pieces to draw in the area, back to front: those from the last one that hides all behind it."""
    left, top, right, bottom = area.x - MARGIN, area.y - MARGIN, area.right + MARGIN, area.bottom + MARGIN
    found: list[Piece] = []
    for piece in reversed(pieces):
        rect = piece.rect  # the sums are written out, for this is asked of every piece at each change
        if (
            rect.x >= right or rect.y >= bottom or rect.x + rect.width <= left or rect.y + rect.height <= top
        ) and piece.points is None:
            continue
        if reach(piece).intersection(area).empty:
            continue
        found.append(piece)
        if hides(piece, area, corner):
            break
    return found[::-1]
