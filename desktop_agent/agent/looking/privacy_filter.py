"""Hides what is private: masks frames and takes secrets out of elements, merged with text from OCR. All that leaves the program passes here."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import msgspec

from desktop_agent.platforms.base import Shown, WindowInfo
from desktop_agent.protocol.agent_events import ApprovalAsked, FeedEvent
from desktop_agent.protocol.geometry import Rect
from desktop_agent.redaction.redactor import FOUND, redactor
from desktop_agent.targets.base import Target
from desktop_agent.targets.faces import tree_of, windows_of
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

TRIES = 3
"""Attempts to take a picture while what is to be hidden stays where it is."""

_EVERYTHING = Rect(-32_768, -32_768, 65_536, 65_536)


_LABELLED = frozenset((
    "push button", "button", "toggle button", "check box", "radio button", "link", "page tab", "list item",
    "menu", "menu item", "check menu item", "radio menu item", "switch", "icon", "table cell", "tree item",
))  # fmt: skip
_LOW = 4  # times the height of the text on it: a taller element (a window) does not show its name there


@dataclass(frozen=True)
class FilteredLook:
    """One look: `frame` is masked, `raw_frame` is not; private windows are not in `titles`; `hidden` in screen pixels."""

    frame: Frame
    raw_frame: Frame
    elements: tuple[Element, ...]
    titles: tuple[str, ...]
    hidden: tuple[Rect, ...] = ()

    def with_words(self, words: Sequence[Element]) -> FilteredLook:
        """The look with text that OCR found on the frame; known secrets in it are masked too."""
        told, secret = _without_secrets(words)
        frame = masked(self.frame, secret)
        return replace(
            self, frame=frame, elements=merge_ocr(self.elements, told), hidden=self.hidden + secret
        )


@dataclass(frozen=True)
class _Hidden:
    """What is to be hidden at one moment: password fields and private windows."""

    fields: tuple[PasswordField, ...]
    private: tuple[Shown, ...]

    @property
    def areas(self) -> tuple[Rect, ...]:
        shown = (area for each in self.private for area in each.areas)
        return (*(field.bounds for field in self.fields), *shown)

    def moving(self, later: _Hidden) -> bool:
        """True when a window with something to hide was elsewhere a moment later: it may have been anywhere between."""
        homes, now = ({(f.pid, f.title): f.window for f in each.fields} for each in (self, later))
        moved = any(now[key] != home for key, home in homes.items() if key in now)
        return moved or self.private != later.private

    @property
    def wide(self) -> tuple[Rect, ...]:
        """The whole windows, for when the places in them are not known."""
        homes = (_EVERYTHING if field.window.empty else field.window for field in self.fields)
        return (*homes, *(each.window.bounds for each in self.private), *self.areas)


class PrivacyFilter:
    """Looks at one target with what is private hidden; remembers password fields from look to look. Thread-safe."""

    def __init__(self, target: Target, privacy: Privacy | None = None) -> None:
        self._windows, self._tree = windows_of(target), tree_of(target)
        self._privacy = privacy or Privacy()
        self._passwords = PasswordFields()
        self._lock = threading.Lock()
        self._names: dict[str, str] = {}
        self._titles: set[str] = set()
        self._found: tuple[Rect, ...] = ()
        self._last: tuple[Frame, _Hidden, tuple[Rect, ...], Frame] | None = None

    def look(self, grab: Callable[[], Frame]) -> FilteredLook:
        """A look with the picture that `grab` takes. Raises what `grab` and the target raise.

        Where what is to be hidden moved during every attempt, whole windows are masked, or everything.
        """
        for _ in range(TRIES):
            before = self._known()
            raw_frame = grab()
            windows, elements = self._windows.windows(), self._tree.elements()
            now = self._read(raw_frame, windows, elements)
            if before == now:
                return self._seen(raw_frame, windows, elements, now, now.areas)
        areas = (_EVERYTHING,) if before.moving(now) else (*before.wide, *now.wide)
        return self._seen(raw_frame, windows, elements, now, areas)

    def name_of(self, element: str) -> str:
        """The name of an element of the last look, by its id; "" when there is none."""
        return self._names.get(element, "")

    def without_private_title(self, event: FeedEvent) -> FeedEvent:
        """The event, without the window's title and what was seen in it where it asks about a private window."""
        if not isinstance(event, ApprovalAsked):
            return event
        private = event.window in self._titles or self._privacy.hides(WindowInfo(event.window))
        if not private:
            return event
        rows = tuple(each for each in event.rows if not each.seen)
        return msgspec.structs.replace(event, window=PRIVATE, rows=rows)

    def preview(self, grab: Callable[[], Frame]) -> Frame:
        """A picture with what earlier looks found to hide painted over, for many a second.

        Elements are read only where a password field, or a text that is to be hidden, may have moved.
        """
        known, found, raw_frame, now = self._known(), self._found, grab(), self._known()
        last = self._last
        same = last is not None and last[1] == known == now and last[2] == found == self._found
        if last is not None and same and last[0].pixels == raw_frame.pixels:
            return last[3]
        if known != now or known.fields or found:
            frame = self.look(grab).frame
        else:
            frame = masked(raw_frame, (*now.areas, *self._privacy.regions))
        self._last = (raw_frame, now, found, frame)
        return frame

    def hide_focused(self) -> None:
        """Hide the field with the keyboard from now on, as a password field is: a secret is about to be typed there.

        What a page makes of it while it comes in is not seen then, nor a part of it. Raises TargetError.
        """
        window = self._windows.focused_window()
        if window is None or not window.pid:
            return
        elements, windows = self._tree.elements_of(window.pid), self._windows.windows()
        with self._lock:
            self._passwords.hide([each for each in elements if "focused" in each.states], windows)

    def _known(self) -> _Hidden:
        with self._lock:
            fields = self._passwords.fields
        return _Hidden(fields, self._private())

    def _read(self, raw_frame: Frame, windows: Sequence[WindowInfo], elements: Sequence[Element]) -> _Hidden:
        with self._lock:
            self._passwords.update(elements, windows, self._tree.unread())
            fields = self._passwords.keep_still_drawn(raw_frame)
        return _Hidden(fields, self._private())

    def _private(self) -> tuple[Shown, ...]:
        return tuple(self._windows.showing(self._privacy.hides)) if self._privacy.windows else ()

    def _seen(
        self,
        raw_frame: Frame,
        windows: Sequence[WindowInfo],
        elements: Sequence[Element],
        now: _Hidden,
        areas: tuple[Rect, ...],
    ) -> FilteredLook:
        hidden = (*areas, *self._privacy.regions)
        unseen = (*(area for each in now.private for area in each.areas), *self._privacy.regions)
        private = [each.window for each in now.private] + [w for w in windows if self._privacy.hides(w)]
        self._titles |= {each.title for each in private if each.title}
        told = without_private(elements, now.fields, partial(_belongs, private), unseen)
        told, naming = _without_titles(told, private)
        told, secret = _without_secrets(told)
        self._found = naming + secret
        hidden += self._found
        self._names = {each.id: each.name for each in told}
        owners = {(each.pid, each.title) for each in private}
        titles = (PRIVATE if (w.pid, w.title) in owners else _cleaned(w.title) for w in windows)
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


def _cleaned(text: str) -> str:
    """The text without known secrets; nothing of it where one can be read in another form."""
    clean = redactor().clean(text)
    return FOUND if clean and redactor().discloses(clean) else clean


def _without_spread(elements: Sequence[Element]) -> Iterator[Element]:
    """The elements; those that together spell a secret, as one letter each does, say only that."""
    texts = [f"{each.name} {each.value if each.value != each.name else ''}" for each in elements]
    spelling = redactor().spread_over(texts)
    for number, element in enumerate(elements):
        alone = redactor().clean(texts[number]) != texts[number]  # these are cut out of the text below
        if number in spelling and not alone:
            element = msgspec.structs.replace(element, name=FOUND, value=FOUND if element.value else "")
        yield element


def _without_secrets(elements: Sequence[Element]) -> tuple[tuple[Element, ...], tuple[Rect, ...]]:
    """The elements with stand-ins for known secrets, and the places where those can be read."""
    told: list[Element] = []
    places: list[Rect] = []
    for original, element in zip(elements, _without_spread(elements), strict=True):
        name, value, window = map(_cleaned, (element.name, element.value, element.window))
        if (name, value) != (original.name, original.value):
            places.append(element.whole or element.bounds)
        if (name, value, window) != (element.name, element.value, element.window):
            element = msgspec.structs.replace(element, name=name, value=value, window=window)
        told.append(element)
    return tuple(told), tuple(places)


def merge_ocr(tree: Sequence[Element], words: Iterable[Element]) -> tuple[Element, ...]:
    """The tree's elements, then the OCR words that no element already has at that place.

    An unnamed button, link or item takes the only text on it as its name, and that word is dropped.
    """
    new = [word for word in words if not any(_says(each, word) for each in tree)]
    named: list[Element] = []
    for element in tree:
        on_it = [word for word in new if _wants(element) and element.bounds.contains(word.bounds.center)]
        if len(on_it) == 1:
            element = msgspec.structs.replace(element, name=on_it[0].name)
            new.remove(on_it[0])
        named.append(element)
    return (*named, *new)


def _says(element: Element, word: Element) -> bool:
    """True when the element already has the word: in its value, or in its name where the name is what is drawn.

    A window's name is drawn on its title bar only, so it does not count elsewhere in the window.
    """
    if not element.bounds.contains(word.bounds.center):
        return False
    low = element.bounds.height <= _LOW * word.bounds.height
    said = element.value + ("\n" + element.name if low else "")
    return word.name.casefold() in said.casefold()


def _wants(element: Element) -> bool:
    return not element.name and not element.value and element.role in _LABELLED
