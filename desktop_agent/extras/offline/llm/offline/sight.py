"""What is in sight: the elements of the window in front, their labels, places and parts."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from functools import cached_property
from typing import TypeAlias

from desktop_agent.extras.offline.llm.offline import apps, instructing, places
from desktop_agent.extras.offline.llm.offline.boxes import LABELLED, LABELS, is_editable
from desktop_agent.extras.offline.llm.offline.instructing import Instruction
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.vision.observation import Element, Observation

_ANY_PART = frozenset(
    (
        "dialog",
        "dialog box",
        "dialogue",
        "window",
        "popup",
        "pop-up",
        "panel",
        "section",
        "page",
        "web",
        "open",
        "current",
        "menu",
        "form",
        "area",
    )
)
_SHORT, _MISTYPED = 3, 0.85
"""Words of so few letters are not mistyped but others; how alike a mistyped word and the right one are."""
_ROWS = frozenset(("table cell", "table row", "list item", "tree item", "cell", "data item"))
_DIALOGS = frozenset(("dialog", "alert", "file chooser", "color chooser", "font chooser"))


Usable: TypeAlias = tuple[str, str, Rect]
"""Role, name and place of an element that can be used."""


def usable(look: Observation) -> frozenset[Usable]:
    """What in sight can be used, to tell it later from what has come up since."""
    return frozenset(_key(each) for each in look.elements if "enabled" in each.states)


def _key(element: Element) -> Usable:
    return element.role, element.name, element.bounds


class Sight:
    """One observation, as a person looks at it: the front window first.

    `usable_before` is what could be used when the run began, as `usable` tells it.
    """

    def __init__(self, look: Observation, usable_before: frozenset[Usable] = frozenset()) -> None:
        self.look = look
        self._usable_before = usable_before

    def has_come_up(self, element: Element) -> bool:
        """Can it be used only since something was done in this run?"""
        return bool(self._usable_before) and _key(element) not in self._usable_before

    @cached_property
    def instructions(self) -> tuple[Instruction, ...]:
        """What is written to tell the reader what to do."""
        return instructing.instructions(self.look.elements)

    @cached_property
    def instructing(self) -> frozenset[str]:
        """Ids of the texts that only tell the reader what to do, and of words recognised there."""
        pieces = (each.pieces for each in self.instructions)
        return instructing.read_over(self.look.elements, self.instructions).union(*pieces)

    def may_mean(self, name: str, element: Element) -> bool:
        """May a name mean the element? A name in an instruction is another thing's, unless it is the instruction's own."""
        if element.id not in self.instructing:
            return True
        return any(element.id in each.pieces and each.is_called(name) for each in self.instructions)

    @cached_property
    def elements(self) -> tuple[Element, ...]:
        """Elements that can be seen and reached: in the picture, enabled or not, front window first."""
        region = self.look.viewport.region
        seen = [each for each in self.look.elements if not each.bounds.intersection(region).empty]
        front = [each for each in seen if self.in_front(each)]
        behind = [each for each in seen if not self.in_front(each) and not self._covered(each)]
        return (*front, *behind)

    def in_front(self, element: Element) -> bool:
        """True in the active window and in popups, which have no title."""
        if self.look.window or element.source == "ocr":
            return element.window in (self.look.window, "") or element.source == "ocr"
        return not element.window or not self._untitled

    @cached_property
    def _untitled(self) -> bool:
        """Is a window without a title in front (a message, say)?"""
        return bool(self.look.windows) and any(not each.window for each in self.look.elements)

    def _covered(self, element: Element) -> bool:
        center = element.bounds.center
        return any(area.contains(center) for area in self._front_areas)

    @cached_property
    def _front_areas(self) -> tuple[Rect, ...]:
        return tuple(
            each.bounds
            for each in self.look.elements
            if self.in_front(each) and each.role in ("frame", "dialog", "window", "alert", "file chooser")
        )

    @cached_property
    def front(self) -> tuple[Element, ...]:
        return tuple(each for each in self.elements if self.in_front(each))

    @cached_property
    def application(self) -> str:
        """Name of the application in front, "" when the tree does not say."""
        names = [each.application for each in self.front if each.application and each.window]
        return names[0] if names else ""

    @cached_property
    def sort(self) -> apps.Sort:
        return apps.window_sort(self.look.window, self.application)

    def shows(self, words: str) -> bool:
        """Is the window in front what the words ask for?"""
        return apps.shows(words, self.look.window, self.application)

    def window_of(self, words: str) -> str | None:
        """The title of an open window that is what the words ask for."""
        applications = {each.window: each.application for each in self.look.elements if each.window}
        for title in self.look.windows:
            if apps.shows(words, title, applications.get(title, "")):
                return title
        return None

    # ---- kinds of elements -------------------------------------------------------------------

    @cached_property
    def editable(self) -> tuple[Element, ...]:
        """Boxes in front that take text."""
        return tuple(each for each in self.front if is_editable(each))

    @cached_property
    def focused(self) -> Element | None:
        found = [each for each in self.front if "focused" in each.states]
        return next((each for each in found if is_editable(each)), found[-1] if found else None)

    @cached_property
    def dialog(self) -> Element | None:
        """The dialog in front, if one is."""
        found = [each for each in self.front if each.role in _DIALOGS]
        return found[-1] if found else None

    @cached_property
    def document(self) -> Element | None:
        """The page or text that fills most of the window in front."""
        found = [
            e
            for e in self.front
            if e.role.startswith("document") or (is_editable(e) and "multiline" in e.states)
        ]
        return max(found, key=lambda e: e.bounds.width * e.bounds.height, default=None)

    def on_page(self, elements: Iterable[Element]) -> tuple[Element, ...]:
        """Those that are part of the page in front, not of the browser around it; all when none is."""
        every = tuple(elements)
        page = self._page
        inside = tuple(e for e in every if page is not None and self.is_inside(e, page))
        return inside or every

    @property
    def words(self) -> Iterable[str]:
        """Every text in sight: names, values, titles and text sections."""
        yield from (each.name for each in self.elements if each.name)
        yield from (each.value for each in self.elements if each.value)
        yield from self.look.windows
        yield from self.look.texts.values()

    def says(self, text: str) -> bool:
        """Is the text to be read anywhere in sight (case and blanks apart)?"""
        return _is_said(text, self.words)

    def says_in_front(self, text: str) -> bool:
        """Is it to be read in the window in front, or in its title?"""
        return _is_said(
            text, (self.look.window, *(each.name for each in self.front), *(e.value for e in self.front))
        )

    # ---- places ------------------------------------------------------------------------------

    def labels(self, element: Element) -> tuple[str, ...]:
        """Texts that label an element by their place: left of it in its line, or right above it.

        For check boxes and radio buttons the text to the right counts as well.
        """
        if element.source == "ocr" or (element.role not in LABELLED and not is_editable(element)):
            return ()
        return self._labels.get(element.id, ())

    @cached_property
    def _labels(self) -> dict[str, tuple[str, ...]]:
        said = [e for e in self.front if re.search(r"\w", e.name)]  # a full stop labels nothing
        texts = [e for e in said if e.role in LABELS | {"section"} and not is_editable(e)]
        texts += [e for e in said if e.source == "ocr"]
        boxes = [e for e in self.front if e.role in LABELLED or is_editable(e)]
        page = {
            each.id for each in self.on_page((*boxes, *texts))
        }  # what lies over a page labels nothing on it
        inside = places.labels(
            [e for e in boxes if e.id in page], (e for e in texts if e.id in page or e.source == "ocr")
        )
        return inside | places.labels([e for e in boxes if e.id not in page], texts)

    def is_within(self, element: Element, part: str) -> bool:
        """Is the element in the window, dialog, list, … of that name?"""
        wanted = re.sub(r"['’]s$", "", _plain(part))
        if wanted and (wanted in _plain(element.window) or _nearly_in(wanted, element.window)):
            return True
        named = [e for e in self.look.elements if wanted and _names(e, wanted)]
        parts = [e for e in named if e.id not in self.instructing | {element.id}]
        if not parts and wanted in _ANY_PART:
            return True  # pages draw their dialogs themselves, and no tree says where they are
        inside = any(each.bounds.contains(element.bounds.center) for each in parts)
        return inside or self._under(element, {each.id for each in parts})

    def _under(self, element: Element, ids: set[str]) -> bool:
        by_id = {each.id: each for each in self.look.elements}
        for _ in range(30):
            if not element.parent or element.parent not in by_id:
                return element.parent in ids
            if element.parent in ids:
                return True
            element = by_id[element.parent]
        return False

    def is_inside(self, element: Element, outer: Element) -> bool:
        """Is the element a part of the other, in the tree?"""
        return self._under(element, {outer.id})

    def children(self, element: Element) -> tuple[Element, ...]:
        return tuple(each for each in self.look.elements if self._under(each, {element.id}))

    def prominence(self, element: Element) -> float:
        """Points that break ties: the front window and what is enabled first."""
        points = 0.0 if self.in_front(element) else -12.0
        points -= (
            8.0 if "enabled" not in element.states and element.source == "tree" and element.states else 0.0
        )
        points -= 5.0 if element.source == "ocr" else 0.0
        points += 2.0 if "focusable" in element.states else 0.0
        if self.dialog is not None and self.dialog.bounds.contains(element.bounds.center):
            points += 4.0
        points += 4.0 if self.is_on_page(element) else 0.0
        return points

    def is_on_page(self, element: Element) -> bool:
        """Is it on the page of a browser, and none of the browser's own buttons?"""
        return self._page is not None and self._page.bounds.contains(element.bounds.center)

    @property
    def shows_page(self) -> bool:
        """Is a page of a browser in front?"""
        return self._page is not None

    @cached_property
    def _page(self) -> Element | None:
        """The page of a browser: what is on it goes before the browser's own buttons."""
        page = self.document
        return page if page is not None and page.role == "document web" else None

    def row_of(self, element: Element) -> tuple[str, ...]:
        """Texts in the same line, left to right, without the element's own."""
        bounds = element.bounds
        beside = [
            e
            for e in self.front
            if e.name and e.name != element.name and e.role not in ("table row", "list item", "frame")
            and min(e.bounds.bottom, bounds.bottom) - max(e.bounds.y, bounds.y) > 0.5 * min(e.bounds.height, bounds.height)
            and e.bounds.height < 3 * max(12, bounds.height) and e.bounds.right <= bounds.x + 4
        ]  # fmt: skip
        return tuple(dict.fromkeys(e.name for e in sorted(beside, key=lambda e: e.bounds.x)))

    def is_beside_chosen(self, element: Element) -> bool:
        """Does it stand in the line of a row or entry that is chosen?"""
        at = element.bounds.center.y
        return any(
            "selected" in each.states and each.role in _ROWS and each.bounds.y <= at < each.bounds.bottom
            for each in self.front
            if each.id != element.id
        )

    def right_of(self, element: Element, reach: int = 300) -> Element | None:
        """The nearest element with words to the right in the same line."""
        bounds = element.bounds
        line = [
            e
            for e in self.front
            if e.id != element.id and (e.value or e.name) and e.role != "frame"
            and bounds.right - 4 <= e.bounds.x <= bounds.right + reach
            and e.bounds.y < bounds.center.y < e.bounds.bottom and e.bounds.height < 3 * max(12, bounds.height)
        ]  # fmt: skip
        return min(line, key=lambda e: e.bounds.x, default=None)

    @property
    def window(self) -> Rect:
        """Where the window in front is, else the whole picture."""
        return self._front_areas[0] if self._front_areas else self.look.viewport.region

    @property
    def area(self) -> Rect:
        """The part of the screen that is worked on: page or text, else window, else all of it."""
        if self.document is not None:
            return self.document.bounds
        return self._front_areas[0] if self._front_areas else self.look.viewport.region

    def center(self) -> Point:
        """The middle of what is worked on, in pixels of the picture."""
        visible = self.look.viewport.rect_to_image(self.area)
        whole = self.look.viewport.rect_to_image(self.look.viewport.region)
        return (whole if visible.empty else visible).center


def _names(element: Element, wanted: str) -> bool:
    name, role = _plain(element.name), element.role.replace(" ", "")
    return (
        bool(name) and re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", name) is not None
    ) or role == wanted.replace(" ", "")


def _is_said(text: str, said: Iterable[str]) -> bool:
    wanted = re.compile(rf"(?<!\w){re.escape(_plain(text))}(?!\w)")
    return bool(_plain(text)) and any(wanted.search(_plain(each)) for each in said)


def _nearly_in(words: str, title: str) -> bool:
    """Are these words of a title, but for a mistyped letter?"""
    own = [each for each in re.findall(r"\w+", title.lower()) if len(each) > _SHORT]
    return all(difflib.get_close_matches(each, own, 1, _MISTYPED) for each in words.split())


def _plain(text: str) -> str:
    return " ".join(text.lower().split())
