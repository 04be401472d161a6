"""Makes the preconditions of a batch: windows, focus and pixels that the hand must still find when it acts.

They come from the look that the operations were decided on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import msgspec

from desktop_agent.agent.acting.moving_places import MovingPlaces
from desktop_agent.policy.facts.op_points import end_point, names_point, start_point
from desktop_agent.protocol.batch import Batch, Expect
from desktop_agent.protocol.geometry import Point, Rect, Size
from desktop_agent.protocol.ops import Op, Type
from desktop_agent.protocol.scene import Scene, TopWindow
from desktop_agent.vision.encoding.encode import crop
from desktop_agent.vision.observation import Element, Observation, raw_pixels

AROUND = Size(64, 32)  # pixels compared around a point that is in no element
MOST = Size(160, 48)  # of an element,
LOW = Size(480, 48)  # of one that is as low as a row, whose words may be far from its middle

# Where no text cursor blinks.
_NO_TEXT = frozenset((
    "push button", "toggle button", "check box", "radio button", "link", "menu item", "menu", "icon",
    "page tab", "list item", "check menu item", "radio menu item", "label", "image", "slider", "button",
))  # fmt: skip


@dataclass
class _Since:
    """What the agent has done since the look."""

    acted: bool = False
    opened: bool = False
    typed: bool = False
    pointed: list[TopWindow] = field(default_factory=list)
    clicked: TopWindow | None = None
    pointer: Point | None = None


class Preconditions:
    """Makes the `Expect`s of each batch, and remembers what was done since the look they come from."""

    def __init__(self, moving_places: MovingPlaces) -> None:
        self._moving_places = moving_places
        self._observation: Observation | None = None
        self._since = _Since()

    def of(self, operations: tuple[Op, ...], observation: Observation) -> tuple[Expect, ...]:
        """What must still be there for these operations, which come after those asked for before on the same look."""
        if observation is not self._observation:
            self._observation, self._since = observation, _Since()
        found: list[Expect] = []
        for index, op in enumerate(operations):
            found += self._expected(index, op, observation)
            self._done(op, observation)
        return tuple(found)

    def _expected(self, index: int, op: Op, observation: Observation) -> Iterator[Expect]:
        if op.traits.pointer:
            for at in self._ends(op, observation):
                yield self._place(index, op, at, observation)
        elif op.traits.keyboard and observation.scene is not None and not self._since.opened:
            yield self._keyboard(index, observation.scene)

    def _ends(self, op: Op, observation: Observation) -> list[Point]:
        """The point an operation begins at, and the one where a drag ends."""
        start = start_point(op, observation)
        if start is None and not names_point(op):
            start = self._since.pointer or (observation.scene.pointer if observation.scene else None)
        return [each for each in (start, end_point(op, observation)) if each is not None]

    def _place(self, index: int, op: Op, at: Point, observation: Observation) -> Expect:
        scene = observation.scene
        window = scene.at(at) if scene else None
        expect = Expect(index, at, (window.id,) if window else ())
        frame = raw_pixels(observation)
        if not op.traits.presses or not frame.region.contains(at):
            return expect
        element = _element_at(at, op, observation)
        patch = patch_around(at, element, observation)
        fresh = scene is not None and not self._since.acted
        whole = Expect(
            index,
            at,
            expect.windows,
            patch=patch,
            pixels=crop(frame, patch).pixels,
            caret=element is None or element.role not in _NO_TEXT,
            pointer=scene.pointer if scene and fresh else None,
        )
        return expect if self._moving_places.lets_pass(whole) else whole

    def _keyboard(self, index: int, scene: Scene) -> Expect:
        """The window with the focus; after a click or keys of ours, any of the same application."""
        since = self._since
        focus = since.clicked.id if since.clicked else scene.focus
        if not focus:
            return Expect(index)
        others = () if since.clicked else tuple(window.id for window in since.pointed)
        loose = since.typed or since.clicked is not None
        return Expect(index, windows=(focus, *others), owner=scene.owner(focus) if loose else 0)

    def _done(self, op: Op, observation: Observation) -> None:
        since, ends = self._since, self._ends(op, observation) if op.traits.pointer else []
        since.acted |= not op.traits.idle
        since.opened |= op.traits.opens
        since.typed |= op.traits.keyboard
        if not ends:
            return
        since.pointer = ends[-1]
        scene = observation.scene
        window = scene.at(ends[0]) if scene else None
        if scene and window and window != scene.stack[-1]:  # the one behind all does not take the focus
            since.pointed.append(window)
            since.clicked = window if op.traits.presses else since.clicked


def narrowed(
    expects: tuple[Expect, ...], operations: tuple[Op, ...], focus: int | None
) -> tuple[Expect, ...]:
    """The preconditions with texts bound to the window that had the keyboard before they were judged (`focus`).

    What was done since the look may have opened another window of the same application, so `Preconditions` lets
    any of them pass; but only one of them was judged. 0 and None bind to nothing.
    """
    texts = {index for index, op in enumerate(operations) if isinstance(op, Type)}
    return tuple(
        msgspec.structs.replace(each, windows=(focus,), owner=0)
        if focus and each.owner and each.at is None and each.index in texts
        else each
        for each in expects
    )


def _element_at(at: Point, op: Op, observation: Observation) -> Element | None:
    """The element an operation names, or the smallest one at its point."""
    named = {getattr(op, "element", None), getattr(op, "to", None)} - {None}
    here = [e for e in observation.elements if (e.id in named or not named) and e.bounds.contains(at)]
    return min(here, key=lambda each: each.bounds.width * each.bounds.height, default=None)


def patch_around(at: Point, element: Element | None, observation: Observation) -> Rect:
    """The patch of pixels compared for a point: of its element or surroundings, what is in sight of its own window."""
    patch = _compared(at, element).intersection(raw_pixels(observation).region)
    scene = observation.scene
    window = scene.at(at) if scene else None
    if scene is None or window is None:
        return patch
    in_front = scene.stack[: scene.stack.index(window)]
    for area in (area for other in in_front for area in other.areas):
        patch = beside(patch, area, at)
    own = next(area for area in window.areas if area.contains(at))
    return patch.intersection(own)


def _compared(at: Point, element: Element | None) -> Rect:
    """The part of an element that is worth comparing; without one, the surroundings of the point."""
    if element is None:
        return Rect(at.x - AROUND.width // 2, at.y - AROUND.height // 2, AROUND.width, AROUND.height)
    low = element.bounds.height <= LOW.height
    big = element.bounds.width > MOST.width and element.bounds.height > 2 * MOST.height
    return _within(element.bounds, at, LOW if low else AROUND if big else MOST)


def _within(whole: Rect, at: Point, size: Size) -> Rect:
    """`whole`, cut down to `size` around the point in each direction in which it is longer."""
    around = Rect(at.x - size.width // 2, at.y - size.height // 2, size.width, size.height)
    part = whole.intersection(around)
    x, width = (whole.x, whole.width) if whole.width <= size.width else (part.x, part.width)
    y, height = (whole.y, whole.height) if whole.height <= size.height else (part.y, part.height)
    return Rect(x, y, width, height)


def beside(patch: Rect, cover: Rect, at: Point) -> Rect:
    """The largest part of a rectangle that contains the point and nothing of the cover."""
    if patch.intersection(cover).empty:
        return patch
    parts = (
        Rect(patch.x, patch.y, cover.x - patch.x, patch.height),
        Rect(cover.right, patch.y, patch.right - cover.right, patch.height),
        Rect(patch.x, patch.y, patch.width, cover.y - patch.y),
        Rect(patch.x, cover.bottom, patch.width, patch.bottom - cover.bottom),
    )
    return max((p for p in parts if p.contains(at)), key=lambda p: p.width * p.height, default=patch)


def without_pixels(batch: Batch) -> Batch:
    """The batch without pictures of the screen, as it goes into the log."""
    expects = tuple(msgspec.structs.replace(each, pixels=b"") for each in batch.expects)
    return msgspec.structs.replace(batch, expects=expects)
