"""What the screen shows at one look, in a form in which two looks can be told to show the same.

Digits in labels (a clock, a counter) are no part of a state, nor is a small part of the picture that changes anyway.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from desktop_agent.agent.verifying.run_record import PRESSED
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.elements.describe import EDITED, MESSAGES, NUMBERS, ROWS
from desktop_agent.vision.observation import Element, Observation, raw_pixels

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Tiles = NDArray[np.uint32]
    Mask = NDArray[np.bool_]

TILE = 32
"""Edge in pixels of the parts in which pictures are compared."""
_SMALL_SHARE = 0.25


@dataclass(frozen=True)
class ScreenState:
    """The screen at one look: what the tree shows without what counts by itself, and the parts of the picture."""

    shown: frozenset[tuple[str, ...]]
    unfocused: frozenset[tuple[str, ...]]
    """The same without where the keyboard is."""
    things: frozenset[tuple[str, ...]]
    """The same without what only says something."""
    tiles: Tiles
    busy: Mask
    """Parts in which a label with digits lies, or a button, which looks otherwise when the pointer is on it."""

    def looks_like(self, other: ScreenState) -> bool:
        """Do the pictures differ in a small share at most? Pictures of different sizes are not compared."""
        mine, yours = self.tiles, other.tiles
        return mine.shape != yours.shape or float((mine != yours).mean()) <= _SMALL_SHARE

    def changed_since(self, other: ScreenState) -> Mask | None:
        """The parts of the picture that differ and are not busy; None when the sizes differ."""
        if self.tiles.shape != other.tiles.shape:
            return None
        changed: Mask = (self.tiles != other.tiles) & ~(self.busy | other.busy)
        return changed


def screen_state(look: Observation) -> ScreenState:
    """What a look shows of the window with the keyboard (of all windows when nothing of that one is listed)."""
    mine = [each for each in look.elements if each.window == look.window] or look.elements
    front = ("window", NUMBERS.sub("#", look.window))
    shown = frozenset(_state_of(each) for each in mine)
    unfocused = frozenset(tuple(part for part in each if part != "focused") for each in shown)
    things = frozenset(each for each in unfocused if each[0] not in MESSAGES)
    area = _active_area(look)
    tiles = _tiles(look, area)
    return ScreenState(
        shown | {front}, unfocused | {front}, things | {front}, tiles, _busy(look, area, tiles.shape)
    )


def _state_of(element: Element) -> tuple[str, ...]:
    """What an element shows: of what is only read without its digits, which may count by themselves."""
    only_read = element.role in MESSAGES and not element.states & {"editable", "focused", "selected"}
    counts = only_read or element.role not in (*EDITED, *ROWS)
    name = NUMBERS.sub("#", element.name) if counts else element.name
    value = NUMBERS.sub("#", element.value) if only_read else element.value
    states = sorted(element.states & {"checked", "selected", "expanded", "pressed", "focused"})
    return (element.role, name, value, *states)


def _active_area(look: Observation) -> Rect:
    """Where the window with the keyboard is, wherever it was before; the whole picture when that is not known."""
    front = next((w for w in look.scene.stack if w.id == look.scene.focus), None) if look.scene else None
    area = max(front.areas, key=lambda each: each.width * each.height, default=None) if front else None
    area = area.intersection(look.frame.region) if area else None
    return area if area and not area.empty else look.frame.region


def _tiles(look: Observation, area: Rect) -> Tiles:
    """A number for each part of an area of the picture, another one for other pixels."""
    import numpy as np  # the window is up before this is loaded

    frame = raw_pixels(look)
    width, height = area.width // TILE * TILE, area.height // TILE * TILE
    pixels = np.frombuffer(frame.pixels, dtype=np.uint32)
    if pixels.size != frame.region.width * frame.region.height or not width or not height:
        return np.zeros((1, 1), dtype=np.uint32)
    left, top = area.x - frame.region.x, area.y - frame.region.y
    grid = pixels.reshape(frame.region.height, frame.region.width)[top : top + height, left : left + width]
    weighted = grid.reshape(height // TILE, TILE, width // TILE, TILE) * _weights()
    hashed: Tiles = weighted.sum(axis=(1, 3), dtype=np.uint32)
    return hashed


@cache
def _weights() -> Tiles:
    """An odd number for each place in a part: a pixel that changes then always changes the sum."""
    import numpy as np

    drawn = np.frombuffer(hashlib.shake_256(b"weights").digest(TILE * TILE * 4), dtype=np.uint32)
    return drawn.reshape(1, TILE, 1, TILE) | np.uint32(1)


def _busy(look: Observation, origin: Rect, shape: tuple[int, ...]) -> Mask:
    """The parts that count for nothing (`ScreenState.busy`)."""
    import numpy as np

    busy = np.zeros(shape, dtype=bool)
    for each in look.elements:
        if each.role in PRESSED or (each.role in MESSAGES and NUMBERS.search(each.name + each.value)):
            left, top = (each.bounds.x - origin.x) // TILE, (each.bounds.y - origin.y) // TILE
            right = (each.bounds.x + each.bounds.width - origin.x) // TILE + 1
            bottom = (each.bounds.y + each.bounds.height - origin.y) // TILE + 1
            busy[max(0, top) : max(0, bottom), max(0, left) : max(0, right)] = True
    return busy
