"""What a wait for a still screen ends with: the changed areas, and whether something slid."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_agent.protocol.geometry import Point, Rect, Viewport

CURSOR_WIDTH, CURSOR_HEIGHT = 3, 48
"""A changed area of at most so many pixels is taken for a blinking text cursor."""
MOST = 0.5
"""From this share of changed pixels on, "most of the screen changed"."""
NAMED_AREAS = 4
SLIDE_CHANGES, SLIDE_GAP = 4, 0.1
"""So many changes, none later than so many seconds after the one before, show something that slides."""


@dataclass(frozen=True)
class Settled:
    """What changed on the screen during a wait, and whether it came to rest.

    `areas` are the changed rectangles in screen pixels, largest first; `fraction` is the changed share
    of all pixels; `quiet` is false when something still moved at the time limit; `resized` is true when
    the screen's layout changed; `slid` is true when something was redrawn in many small steps; `own_time` is true
    where the place has a time of its own, so that waiting shows nothing more. `words` gives coordinates in pixels
    of `viewport`'s picture, or of the screen without a viewport.
    """

    areas: tuple[Rect, ...]
    fraction: float
    quiet: bool
    seconds: float
    resized: bool = False
    viewport: Viewport | None = None
    slid: bool = False
    own_time: bool = False

    @property
    def changed(self) -> bool:
        """True when more than a text cursor changed (which blinks whether or not anything was done)."""
        return self.resized or any(not is_cursor(area) for area in self.areas)

    @property
    def words(self) -> str:
        """What changed, in a sentence for a model or a person."""
        moving = "" if self.quiet else ", and something is still moving"
        return self._what() + moving

    def _what(self) -> str:
        if self.resized:
            return "the screen's layout changed"
        if not self.changed:
            return "nothing changed but a text cursor" if self.areas else "nothing happened: nothing changed"
        if self.fraction > MOST:
            return "most of the screen changed"
        areas = [area for area in self.areas if not is_cursor(area)]
        spots = ", ".join(self._spot(area) for area in areas[:NAMED_AREAS])
        if len(areas) == 1:
            return f"the area around {spots} changed"
        more = f" and {len(areas) - NAMED_AREAS} more" if len(areas) > NAMED_AREAS else ""
        return f"areas around {spots}{more} changed"

    def _spot(self, area: Rect) -> str:
        """An area as `x,y (WxH)`: its centre and size."""
        if self.viewport is not None:
            area = self.viewport.rect_to_image(area)
        center: Point = area.center
        return f"{center.x},{center.y} ({area.width}x{area.height})"


def is_cursor(area: Rect) -> bool:
    """Is a changed area as small as a text cursor?"""
    return area.width <= CURSOR_WIDTH and area.height <= CURSOR_HEIGHT


@dataclass
class SlideDetector:
    """Detects sliding from the times of changes: SLIDE_CHANGES in a row, each within SLIDE_GAP of the one before."""

    seen: bool = False
    _count: int = 0
    _last: float = 0.0

    def change(self, now: float) -> None:
        """Count a change at `now` (monotonic seconds)."""
        self._count = self._count + 1 if now - self._last <= SLIDE_GAP else 1
        self._last = now
        self.seen |= self._count >= SLIDE_CHANGES
