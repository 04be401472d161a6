"""Masks what is private: password fields, and windows and regions that the user hides."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Protocol

import msgspec

from desktop_agent.protocol.geometry import Rect
from desktop_agent.redaction.redactor import redactor
from desktop_agent.support.config import PrivacySettings
from desktop_agent.vision.capture.capture import paint_over
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.elements.occlusion import WindowBounds
from desktop_agent.vision.encoding.encode import crop
from desktop_agent.vision.observation import Element

PRIVATE = "(private)"
"""Shown in place of the title of a private window."""


class NamedWindow(Protocol):
    """A window that privacy patterns are matched against."""

    @property
    def title(self) -> str: ...
    @property
    def application(self) -> str: ...


@dataclass(frozen=True)
class Privacy:
    """What the user hides: glob patterns of window titles and application names, and screen rectangles."""

    windows: tuple[str, ...] = ()
    regions: tuple[Rect, ...] = ()

    @classmethod
    def of(cls, settings: PrivacySettings) -> Privacy:
        """The hidden windows and rectangles that the settings name."""
        return cls(settings.windows, tuple(Rect(*each) for each in settings.regions))

    def hides(self, window: NamedWindow) -> bool:
        """True when a pattern matches the window's title or application (case ignored)."""
        names = (window.title.casefold(), window.application.casefold())
        return any(fnmatchcase(name, each.casefold()) for each in self.windows for name in names)


def masked(frame: Frame, hidden: Iterable[Rect]) -> Frame:
    """The frame with rectangles (screen pixels) painted grey; the same frame when none lies in it."""
    within = [each for each in hidden if not each.intersection(frame.region).empty]
    if not within:
        return frame
    pixels = paint_over(bytearray(frame.pixels), frame.region, within)
    return Frame(bytes(pixels), frame.region, frame.epoch, frame.time)


# ---- password fields -------------------------------------------------------------------------


@dataclass(frozen=True)
class PasswordField:
    """A password field: its bounds, its application, and the bounds of its window when it was read (screen pixels)."""

    bounds: Rect
    name: str
    pid: int
    application: str
    title: str
    window: Rect

    def possible_windows(self, windows: Sequence[WindowBounds]) -> list[WindowBounds]:
        """The windows it may be in now: those of its process and title, else of its process or of its title."""
        same = [each for each in windows if each.pid == self.pid and not each.bounds.empty]
        titled = [each for each in same or windows if each.title == self.title and not each.bounds.empty]
        return titled or (same if self.pid else [])

    def is_revealed_in(self, element: Element) -> bool:
        """True when the element is this field after "show password": an ordinary text box at its place or of its name."""
        if "editable" not in element.states or "multiline" in element.states:
            return False
        if (element.pid, element.window) != (self.pid, self.title):
            return False
        return _place(element) == self.bounds or (self.name != "" and element.name == self.name)


def is_password(element: Element) -> bool:
    """True when the element takes a password."""
    return element.role == "password text" or "password" in element.states


class PasswordFields:
    """Tracks password fields across readings of the accessibility tree, so that none is unmasked by a gap in it."""

    def __init__(self) -> None:
        self.fields: tuple[PasswordField, ...] = ()
        self._pictures: dict[PasswordField, bytes] = {}

    def update(
        self, elements: Sequence[Element], windows: Sequence[WindowBounds], unread: Collection[str]
    ) -> tuple[PasswordField, ...]:
        """Update from a new reading; returns the fields to mask.

        These are the password fields read, boxes that were one before ("show password"), and known fields that
        this reading cannot tell about. `windows` are the windows on the screen, `unread` names the applications
        that did not answer in time.
        """
        read = [_field(each, windows) for each in elements if is_password(each)]
        again = [_field(e, windows) for e in elements if any(old.is_revealed_in(e) for old in self.fields)]
        kept = [
            new
            for old in self.fields
            if _unread(old, elements, windows, unread)
            for new in _moved(old, windows)
        ]
        self.fields = tuple(dict.fromkeys((*read, *again, *kept)))
        return self.fields

    def hide(self, elements: Iterable[Element], windows: Sequence[WindowBounds]) -> None:
        """Treat text fields as password fields from now on."""
        fields = (
            _field(each, windows) for each in elements if "editable" in each.states or is_password(each)
        )
        self.fields = tuple(dict.fromkeys((*self.fields, *fields)))

    def keep_still_drawn(self, frame: Frame) -> tuple[PasswordField, ...]:
        """Keep fields that left the tree but look the same on the frame, as the tree may lag; returns all fields."""
        lost = [f for f, old in self._pictures.items() if f not in self.fields and _picture(f, frame) == old]
        self.fields += tuple(lost)
        pictures = ((field, _picture(field, frame)) for field in self.fields)
        self._pictures = {field: picture for field, picture in pictures if picture}
        return self.fields


def _field(element: Element, windows: Sequence[WindowBounds]) -> PasswordField:
    field = PasswordField(
        _place(element), element.name, element.pid, element.application, element.window, Rect(0, 0, 0, 0)
    )
    home = next((each.bounds for each in field.possible_windows(windows)), field.window)
    return PasswordField(field.bounds, field.name, field.pid, field.application, field.title, home)


def _picture(field: PasswordField, frame: Frame) -> bytes:
    """The field's pixels; b"" when it is not wholly on the frame."""
    inside = field.bounds.intersection(frame.region) == field.bounds and not field.bounds.empty
    return crop(frame, field.bounds).pixels if inside else b""


def _place(element: Element) -> Rect:
    return element.whole or element.bounds


def _unread(
    field: PasswordField,
    elements: Sequence[Element],
    windows: Sequence[WindowBounds],
    unread: Collection[str],
) -> bool:
    """True when its application did not answer in time, or reported nothing of the field's window."""
    titles = {window.title for window in field.possible_windows(windows)}
    told = any(each.pid == field.pid and each.window in titles for each in elements)
    return field.application in unread or not told


def _moved(field: PasswordField, windows: Sequence[WindowBounds]) -> Iterator[PasswordField]:
    """The field where its window has moved to and, as it is unknown which holds, also where it was."""
    for window in field.possible_windows(windows):
        dx, dy = window.bounds.x - field.window.x, window.bounds.y - field.window.y
        old = field.bounds
        here = old.moved(dx, dy)
        yield PasswordField(here, field.name, field.pid, field.application, window.title, window.bounds)
        if here != old:
            yield field


# ---- elements --------------------------------------------------------------------------------


def without_private(
    elements: Iterable[Element],
    fields: Sequence[PasswordField],
    private: Callable[[Element], bool],
    hidden: Sequence[Rect],
) -> tuple[Element, ...]:
    """The elements a model may see: none in hidden rectangles or private windows, password fields without a value.

    Elements that lie inside a password field (its parts) are dropped.
    """
    told = [each for each in elements if not private(each) and not _inside(each, hidden)]
    return tuple(part for each in told for part in _without_password(each, fields))


def _inside(element: Element, areas: Sequence[Rect]) -> bool:
    return any(area.contains(element.bounds.center) for area in areas)


def _without_password(element: Element, fields: Sequence[PasswordField]) -> Iterator[Element]:
    own = [each for each in fields if each.pid == element.pid]
    if any(each.bounds == _place(element) for each in own) or is_password(element):
        value = redactor().stand_ins_alone(element.value)  # so that a field that is filled in is seen to be
        yield msgspec.structs.replace(element, value=value, states=element.states | {"password"})
    elif not any(each.bounds.intersection(_place(element)) == _place(element) for each in own):
        yield element
