"""Makes observations of a target: frame, elements, text on the frame and window titles, all of one moment."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import msgspec

from desktop_agent.agent.looking.look_diff import news
from desktop_agent.agent.looking.privacy_filter import FilteredLook, PrivacyFilter
from desktop_agent.llm.base import Model
from desktop_agent.llm.transport.picture import closer, frame_for, sized
from desktop_agent.protocol.app_activity import Activity
from desktop_agent.protocol.chat_messages import PictureBlock
from desktop_agent.protocol.errors import OutOfBounds
from desktop_agent.protocol.geometry import Point, Rect, Viewport
from desktop_agent.protocol.ops import Region
from desktop_agent.protocol.scene import Scene
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.protocol.terminal_state import TerminalState
from desktop_agent.targets.base import Target
from desktop_agent.targets.faces import (
    HasElementHandles,
    HasOwnClock,
    ReadsTerminal,
    TellsActivity,
    TellsBusy,
    scene_of,
)
from desktop_agent.vision.capture.frame import Frame, changed_areas
from desktop_agent.vision.capture.masks import PRIVATE
from desktop_agent.vision.encoding.encode import image_size
from desktop_agent.vision.observation import Element, Observation, raw_pixels
from desktop_agent.vision.ocr.background import BackgroundOcr, ReadWords
from desktop_agent.vision.settling.by_events import TILE, RestlessTiles, settle_by_events
from desktop_agent.vision.settling.polling import CEILING, settle_by_polling, settled_at_once
from desktop_agent.vision.settling.result import Settled, is_cursor

__all__ = ["Observer", "ReadWords"]

PATIENCE = 0.4
"""Seconds until something of an action shows, where only pictures tell."""
TRIES, AGAIN = 3, 0.15
"""Looks, and seconds between them, until a picture that cannot be right is told in words instead."""
BEHIND, AT_REST, AT_WORK = 0.5, 0.08, 0.03
"""Seconds for which elements are read again that tell nothing of what was drawn: while the program works, and while it
does not; seconds over which that is measured."""
HURRIED = 4
"""So many of the areas in which something was drawn, the largest first, are hurried."""
WORDS_PATIENCE = 0.3
"""Seconds a look waits for words when the model sees the picture too; they are read on meanwhile."""


BYTES = 4
STEP = 7
"""Every so many pixels one is looked at, which no pattern of a screen follows."""
NEARLY = 0.9995
BLANK = (
    "it was blank, in one colour, though windows are open: a lock screen or a screen saver may cover them, or the system "
    "may not let this screen be seen"
)
OTHER_WINDOWS = (
    "the windows changed while it was taken, and it shows others than the elements below belong to"
)


LOOKS = 3
"""Pictures after which moving windows are taken as they are."""


FRINGE = 12
"""Pixels around a thing that may be drawn with it: a shadow, a ring around what has the keyboard."""


MOMENT = "The screen after operation {}:"
CLOSER = "Closer: x {} to {}, y {} to {} of the whole picture. Coordinates stay those of the whole picture."


@dataclass(frozen=True)
class _Moment:
    """What was seen at once; why the picture is not to be shown, and whether the elements may be older than it."""

    seen: FilteredLook
    scene: Scene | None
    unshown: str
    behind: bool = False


@dataclass
class Observer:
    """Makes the observations of one run.

    `region` limits every look to a part of the screen; `read_words` is OCR, used when the accessibility tree
    says nothing; `privacy_filter` hides what is private; `habits` remembers how long programs take to settle.
    """

    target: Target
    model: Model
    region: Rect | None
    read_words: ReadWords
    privacy_filter: PrivacyFilter
    restless_tiles: RestlessTiles = field(default_factory=RestlessTiles)
    _last: Observation | None = None
    _waited_for: tuple[float, tuple[Rect, ...], bool] = (0.0, (), False)
    """The time of the look compared with last, the areas that nothing told of in the end, and whether a program was still
    at work: they are not waited for twice."""

    def __post_init__(self) -> None:
        self._ahead = BackgroundOcr(self.read_words)

    def look(
        self,
        stop: StopFlag,
        *,
        detail: Rect | None = None,
        read: bool = False,
        settled: Settled | None = None,
        since: Observation | None = None,
    ) -> Observation:
        """A fresh observation, of `detail` alone (and so larger) when given; `read` asks for OCR too.

        `settled` is what acting did to the picture; with it is told which windows and elements came or went since
        the look `since` (else the last one).

        Raises TargetError when the screen cannot be captured, Stopped.
        """
        moment = self._of_one_moment(stop, detail, since or self._last, settled.areas if settled else ())
        read = read or bool(moment.unshown)
        found = self._observation(self._with_words(moment.seen, stop, read), moment.scene)
        found = msgspec.structs.replace(found, unshown=moment.unshown, behind=moment.behind)
        return self._compared(found, settled, since)

    def _of_one_moment(
        self, stop: StopFlag, detail: Rect | None, before: Observation | None, drawn: tuple[Rect, ...]
    ) -> _Moment:
        """A look whose elements are not older than its picture; where that cannot be had within `BEHIND`, it says so.

        `drawn` is where something is known to have been drawn since the look `before`: what shows there is hurried
        first. Elsewhere the picture tells, and the look is taken again.
        """
        hurried = before is not None and self._hurry(before.elements, drawn)
        moment = self._trusted(stop, detail)
        if before is None or (drawn and not hurried):
            return moment
        if not hurried:
            areas = redrawn(before, moment.seen.raw_frame)
            if not self._hurry(moment.seen.elements, areas):
                return moment
            moment = self._trusted(stop, detail)
        began, works = time.monotonic(), True
        while areas := untold(before, moment.seen.raw_frame, moment.seen.elements, self._restless(before)):
            if self._waited_for[:2] == (before.time, areas):
                works = self._waited_for[2]
                break
            if time.monotonic() - began > (BEHIND if works else AT_REST):
                break
            works = self._works_on(stop)
            self._hurry(moment.seen.elements, areas)
            moment = self._trusted(stop, detail)
        self._waited_for = (before.time, areas, works)
        return replace(moment, behind=bool(areas) and works)

    def _hurry(self, elements: tuple[Element, ...], areas: tuple[Rect, ...]) -> bool:
        """Have what shows in these areas tell its elements up to now; False where nothing there is ever behind."""
        target, late = self.target, False
        for point in (area.center for area in areas[:HURRIED]):
            here = [each for each in elements if each.handle and each.bounds.contains(point)]
            pages = [each for each in here if each.role.startswith("document")]
            told_by = min(pages, key=_size, default=None) or max(here, key=_size, default=None)
            if told_by is not None and isinstance(target, HasElementHandles):
                late |= target.hurry(told_by.handle, point)
        return late

    def _works_on(self, stop: StopFlag) -> bool:
        """Wait a moment in which nothing is asked; do the programs acted on use a processor in it?"""
        activity = self._activity()
        if activity is not None:
            activity.computes()
        stop.wait(AT_WORK)
        return activity is not None and bool(activity.computes())

    def _activity(self) -> Activity | None:
        return self.target.activity() if isinstance(self.target, TellsActivity) else None

    def _restless(self, before: Observation) -> tuple[Rect, ...]:
        """The parts of the screen that change by themselves."""
        at = before.frame.region
        tiles = self.restless_tiles.recent(time.monotonic())
        return tuple(Rect(at.x + TILE * column, at.y + TILE * row, TILE, TILE) for row, column in tiles)

    def _trusted(self, stop: StopFlag, detail: Rect | None) -> _Moment:
        """A look whose picture nothing speaks against, of up to TRIES; else the last, with what does."""
        for number in range(TRIES):
            if number:
                stop.wait(AGAIN)
            seen, scene = self._seen(stop, detail)
            why = doubt(seen) if self.target.doubtful and detail is None else ""
            if not why:
                break
        return _Moment(seen, scene, why)

    def glance(self, stop: StopFlag, detail: Rect | None = None) -> Observation:
        """What is to be seen at this moment, without words read from it; later looks are not compared with it.

        Raises TargetError when the screen cannot be captured, Stopped.
        """
        return self._observation(*self._seen(stop, detail))

    def _seen(self, stop: StopFlag, detail: Rect | None) -> tuple[FilteredLook, Scene | None]:
        stop.check()
        self._activity()  # it must watch before anything is done
        scene: Scene | None = None

        def grab() -> Frame:
            nonlocal scene
            frame, scene = steady(self.target, detail or self.region)
            return frame

        return self.privacy_filter.look(grab), scene

    def _observation(self, seen: FilteredLook, scene: Scene | None) -> Observation:
        return Observation(
            frame=seen.frame,
            viewport=self._viewport(seen.frame),
            elements=seen.elements,
            window=seen.titles[0] if seen.titles else "",
            windows=seen.titles,
            time=time.time(),
            raw_frame=seen.raw_frame,
            scene=scene,
            terminal=self._terminal(seen.raw_frame or seen.frame),
        )

    def _terminal(self, frame: Frame) -> TerminalState | None:
        return self.target.terminal(frame) if isinstance(self.target, ReadsTerminal) else None

    def _compared(
        self, found: Observation, settled: Settled | None, since: Observation | None
    ) -> Observation:
        """`found` with what acting did to it, and what came and went since the observation given, or the one before."""
        before, self._last = since or self._last, found
        if settled is None:
            return found
        came_and_went = news(before, found) if before else ""
        return msgspec.structs.replace(
            found, changed=settled.words, news=came_and_went, moving=not settled.quiet
        )

    def settle(self, before: Observation, stop: StopFlag, patience: float) -> Settled:
        """Wait until the screen has settled after acting; returns what changed since `before`, in pixels of its picture.

        `patience` is how many seconds a first change may take to show.
        """
        frame, target = before.raw_frame or before.frame, self.target
        at_rest = target.come_to_rest(CEILING) if isinstance(target, HasOwnClock) else None
        if at_rest is not None:
            return settled_at_once(
                target.observe(frame.region), frame, quiet=at_rest, viewport=before.viewport
            )
        activity = self._activity()
        if activity is not None:
            wait = patience if patience > PATIENCE else 0.0
            return settle_by_events(
                activity,
                target.observe,
                frame,
                stop,
                self.restless_tiles,
                patience=wait,
                viewport=before.viewport,
            )
        grab = partial(target.observe, frame.region)
        busy = target.busy if isinstance(target, TellsBusy) else _not_busy
        return settle_by_polling(grab, frame, stop, patience=patience, viewport=before.viewport, busy=busy)

    def close(self) -> None:
        """End the OCR that still runs in the background."""
        self._ahead.close()

    def _with_words(self, seen: FilteredLook, stop: StopFlag, read: bool) -> FilteredLook:
        """The look without elements outside its frame, and with the text on it where the tree says nothing."""
        region = seen.frame.region
        tree = tuple(each for each in seen.elements if not each.bounds.intersection(region).empty)
        seen = replace(seen, elements=tree)
        window = seen.titles[0] if seen.titles else ""
        if not read and (not window or _speaks(tree, window)):
            return seen  # an empty desktop has nothing to read either
        blind = read or not self.model.support.images
        return seen.with_words(self._ahead(seen.frame, stop, None if blind else WORDS_PATIENCE))

    def _viewport(self, frame: Frame) -> Viewport:
        """The coordinates of the model: pixels of the picture it gets, or of the screen when it gets none.

        What the model supports is asked at each look: it may have found out that it sees no pictures.
        """
        support = self.model.support
        size = image_size(frame.size, support.image_edge) if support.images else frame.size
        return Viewport(frame.region, size, frame.epoch)


def _size(element: Element) -> int:
    return element.bounds.area


def _speaks(tree: tuple[Element, ...], window: str) -> bool:
    """Does the accessibility tree name any element of the active window?"""
    return any(each.name and each.window == window for each in tree)


def doubt(seen: FilteredLook) -> str:
    """Why the picture of a look is not to be trusted, in words after "because"; "" when nothing speaks against it."""
    if seen.titles and is_blank(seen.raw_frame):
        return BLANK
    return OTHER_WINDOWS if _of_others(seen) else ""


def is_blank(frame: Frame) -> bool:
    """Is it all one colour, or nearly (a pointer or a clock may be on it)?"""
    import numpy as np  # loaded after the window shows

    pixels = np.frombuffer(frame.pixels, np.uint32)[::STEP]
    return bool(pixels.size and np.count_nonzero(pixels == np.median(pixels)) >= NEARLY * pixels.size)


def _not_busy() -> bool:
    """The answer for a place that cannot tell."""
    return False


def _of_others(seen: FilteredLook) -> bool:
    """Do most elements belong to windows that are not there any more, by the list that was read with the picture?"""
    told: Collection[str] = [each.window for each in seen.elements if each.source == "tree" and each.window]
    gone = [each for each in told if each not in seen.titles and each != PRIVATE]
    return len(gone) * 2 > len(told)


def steady(target: Target, region: Rect | None) -> tuple[Frame, Scene | None]:
    """Captures `region` and which windows are on it; again, up to LOOKS times, while windows change. Raises TargetError."""
    before = scene_of(target)
    for _ in range(LOOKS):
        frame, after = target.observe(region), scene_of(target)
        if after == before:
            break
        before = after
    # What never holds still is left to the pixels: they were taken before the windows were asked for.
    return frame, after


def redrawn(before: Observation, frame: Frame) -> tuple[Rect, ...]:
    """The areas in which a picture differs from the one before; none where both do not show the same region."""
    was = raw_pixels(before)
    if (was.region, was.epoch) != (frame.region, frame.epoch):
        return ()
    areas, _ = changed_areas(was, frame)
    return areas


def untold(
    before: Observation, frame: Frame, elements: Iterable[Element], restless: Sequence[Rect] = ()
) -> tuple[Rect, ...]:
    """The areas in which a picture changed and no element told with it did; text cursors and `restless` areas aside.

    What came, went or is told otherwise accounts for what is drawn in its own place alone: that a button has the
    keyboard now says nothing of the line below it.
    """
    was = raw_pixels(before)
    if (was.region, was.epoch) != (frame.region, frame.epoch):
        return ()
    told = [place.grown(FRINGE, FRINGE) for place in _changed(before.elements, elements)]
    areas, _ = changed_areas(was, frame, without=(*told, *restless))
    return tuple(area for area in areas if not is_cursor(area))


def _changed(before: Iterable[Element], after: Iterable[Element]) -> list[Rect]:
    """Where the elements are, or were, that are told otherwise than before.

    What has others in it accounts for their places only where it came or went itself, and a page never does: it is
    told before what is in it.
    """
    was, now = ({each.id: each for each in look if each.source == "tree"} for look in (before, after))
    around = {each.parent for look in (was, now) for each in look.values()}
    places: list[Rect] = []
    for id in was.keys() | now.keys():
        one, other = was.get(id), now.get(id)
        found = [each for each in (one, other) if each is not None]
        if found[0].role.startswith("document") or (len(found) == 2 and id in around):
            continue
        if one is None or other is None or _told(one) != _told(other):
            places += (each.bounds for each in found)
    return places


def _told(element: Element) -> tuple[object, ...]:
    return (element.role, element.name, element.value, element.states, element.bounds, element.whole)


@dataclass(frozen=True)
class CloserPictures:
    """Takes pictures beside the look of a turn; `looked` is told of each what could be read in it."""

    observer: Observer
    looked: Callable[[Observation], None]

    def of_moment(self, number: int, stop: StopFlag) -> tuple[str, PictureBlock]:
        """The whole screen as it is now, with a caption; `number` is the operation it was asked for with, from 1."""
        seen, support = self.observer.glance(stop), self.observer.model.support
        self.looked(seen)
        return MOMENT.format(number), sized(frame_for(seen, support), seen.viewport.image, support)

    def of_region(self, region: Region, shown: Observation, stop: StopFlag) -> tuple[str, PictureBlock]:
        """A region of the picture of `shown` as it is now and as large as it can be. Raises OutOfBounds."""
        place = shown.viewport.rect_to_screen(Rect(region.x, region.y, region.width, region.height))
        seen = self.observer.glance(stop, place)
        self.looked(seen)
        right, bottom = region.x + region.width - 1, region.y + region.height - 1
        return (
            CLOSER.format(region.x, right, region.y, bottom),
            closer(seen.frame, self.observer.model.support),
        )

    def pointer(self, shown: Observation) -> Point:
        """Where the pointer is, in pixels of the picture of `shown`. Raises OutOfBounds."""
        scene = scene_of(self.observer.target)
        if scene is None:
            raise OutOfBounds("It cannot be told here where the pointer is.")
        return shown.viewport.to_image(scene.pointer)
