"""What may be seen of a target: frames with masks, elements without secrets. Everything that leaves comes from here."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import msgspec

from desktop_agent.platforms.base import Shown, WindowInfo
from desktop_agent.protocol.agent_events import ApprovalAsked, FeedEvent
from desktop_agent.protocol.geometry import Rect
from desktop_agent.redaction.redactor import redactor
from desktop_agent.targets.base import Target
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.capture.masks import (
    PRIVATE,
    PasswordField,
    PasswordFields,
    Privacy,
    masked,
    without_private,
)
from desktop_agent.vision.observation import Element
from desktop_agent.vision.ocr.merge import merge_ocr

TRIES = 3
"""Looks until what is to be hidden stood at the same places before and after the picture was taken."""

_EVERYTHING = Rect(-32_768, -32_768, 65_536, 65_536)


@dataclass(frozen=True)
class FilteredLook:
    """One look: `frame` is masked, `raw_frame` the same with nothing painted over; titles of private windows are not told."""

    frame: Frame
    raw_frame: Frame
    elements: tuple[Element, ...]
    titles: tuple[str, ...]
    hidden: tuple[Rect, ...] = ()

    def with_words(self, words: Sequence[Element]) -> FilteredLook:
        """The same with text that was read from the frame; known secrets among it are painted over, too."""
        told, secret = _without_secrets(words)
        frame = masked(self.frame, secret)
        return replace(
            self, frame=frame, elements=merge_ocr(self.elements, told), hidden=self.hidden + secret
        )


@dataclass(frozen=True)
class _Guarded:
    """What is to be hidden at one moment."""

    fields: tuple[PasswordField, ...]
    private: tuple[Shown, ...]

    @property
    def areas(self) -> tuple[Rect, ...]:
        shown = (area for each in self.private for area in each.areas)
        return (*(field.bounds for field in self.fields), *shown)

    def moving(self, later: _Guarded) -> bool:
        """True when a window with something to hide was elsewhere a moment later: then it may have been anywhere."""
        homes, now = ({(f.pid, f.title): f.window for f in each.fields} for each in (self, later))
        moved = any(now[key] != home for key, home in homes.items() if key in now)
        return moved or self.private != later.private

    @property
    def wide(self) -> tuple[Rect, ...]:
        """The whole windows: when nobody knows where in them it is."""
        homes = (_EVERYTHING if field.window.empty else field.window for field in self.fields)
        return (*homes, *(each.window.bounds for each in self.private), *self.areas)


class Sight:
    """Looks at one target; remembers password fields from look to look. For several threads."""

    def __init__(self, target: Target, privacy: Privacy | None = None) -> None:
        self._target = target
        self._privacy = privacy or Privacy()
        self._passwords = PasswordFields()
        self._lock = threading.Lock()
        self._names: dict[str, str] = {}
        self._titles: set[str] = set()
        self._last: tuple[Frame, _Guarded, Frame] | None = None

    def look(self, grab: Callable[[], Frame]) -> FilteredLook:
        """A look with `grab`'s picture. Raises what `grab` and the target raise."""
        for _ in range(TRIES):
            before = self._known()
            raw_frame = grab()
            windows, elements = self._target.windows(), self._target.elements()
            now = self._read(raw_frame, windows, elements)
            if before == now:
                return self._seen(raw_frame, windows, elements, now, now.areas)
        areas = (_EVERYTHING,) if before.moving(now) else (*before.wide, *now.wide)
        return self._seen(raw_frame, windows, elements, now, areas)

    def name_of(self, element: str) -> str:
        """The name of an element of the last look by its id, "" when there is none."""
        return self._names.get(element, "")

    def nameless(self, event: FeedEvent) -> FeedEvent:
        """A question about a window without its title where that is private."""
        if not isinstance(event, ApprovalAsked):
            return event
        private = event.window in self._titles or self._privacy.hides(WindowInfo(event.window))
        return msgspec.structs.replace(event, window=PRIVATE) if private else event

    def glance(self, grab: Callable[[], Frame]) -> Frame:
        """A masked picture for people to watch; elements are read only where a password field may have moved."""
        known, raw_frame, now = self._known(), grab(), self._known()
        last = self._last
        if last is not None and last[1] == known == now and last[0].pixels == raw_frame.pixels:
            return last[2]
        if known != now or known.fields:
            frame = self.look(grab).frame
        else:
            frame = masked(raw_frame, (*now.areas, *self._privacy.regions))
        self._last = (raw_frame, now, frame)
        return frame

    def _known(self) -> _Guarded:
        with self._lock:
            fields = self._passwords.fields
        return _Guarded(fields, self._private())

    def _read(self, raw_frame: Frame, windows: Sequence[WindowInfo], elements: Sequence[Element]) -> _Guarded:
        with self._lock:
            self._passwords.update(elements, windows, self._target.unread())
            fields = self._passwords.keep_still_drawn(raw_frame)
        return _Guarded(fields, self._private())

    def _private(self) -> tuple[Shown, ...]:
        return tuple(self._target.showing(self._privacy.hides)) if self._privacy.windows else ()

    def _seen(
        self,
        raw_frame: Frame,
        windows: Sequence[WindowInfo],
        elements: Sequence[Element],
        now: _Guarded,
        areas: tuple[Rect, ...],
    ) -> FilteredLook:
        hidden = (*areas, *self._privacy.regions)
        unseen = (*(area for each in now.private for area in each.areas), *self._privacy.regions)
        private = [each.window for each in now.private] + [w for w in windows if self._privacy.hides(w)]
        self._titles |= {each.title for each in private if each.title}
        told = without_private(elements, now.fields, partial(_belongs, private), unseen)
        told, naming = _without_titles(told, private)
        told, secret = _without_secrets(told)
        hidden += naming + secret
        self._names = {each.id: each.name for each in told}
        owners = {(each.pid, each.title) for each in private}
        titles = (PRIVATE if (w.pid, w.title) in owners else redactor().clean(w.title) for w in windows)
        return FilteredLook(masked(raw_frame, hidden), raw_frame, told, tuple(titles), hidden)


def _belongs(private: Sequence[WindowInfo], element: Element) -> bool:
    return any((each.pid, each.title) == (element.pid, element.window) for each in private)


def _without_titles(
    elements: Sequence[Element], private: Sequence[WindowInfo]
) -> tuple[tuple[Element, ...], tuple[Rect, ...]]:
    """The elements that do not name a private window (as a task bar does), and the places of those that do."""
    titles = {each.title for each in private if each.title}
    naming = [each for each in elements if any(title in each.name for title in titles)]
    told = tuple(each for each in elements if each not in naming)
    return told, tuple(each.whole or each.bounds for each in naming)


def _without_secrets(elements: Sequence[Element]) -> tuple[tuple[Element, ...], tuple[Rect, ...]]:
    """The elements with stand-ins for known secrets, and the places where those can be read."""
    told: list[Element] = []
    places: list[Rect] = []
    for element in elements:
        name, value, window = map(redactor().clean, (element.name, element.value, element.window))
        if (name, value) != (element.name, element.value):
            places.append(element.whole or element.bounds)
        if (name, value, window) != (element.name, element.value, element.window):
            element = msgspec.structs.replace(element, name=name, value=value, window=window)
        told.append(element)
    return tuple(told), tuple(places)
