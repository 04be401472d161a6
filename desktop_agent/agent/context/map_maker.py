"""Learns the map of a desktop: what each look shows, and where what was pressed before it has led."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from desktop_agent.llm.base import Deed
from desktop_agent.policy.facts.place import Subject
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.vision.capture.masks import PRIVATE
from desktop_agent.vision.elements.describe import one_line
from desktop_agent.vision.mapping.desktop_map import DesktopMap, place_name
from desktop_agent.vision.mapping.map_records import (
    TABS,
    ControlName,
    MappedControl,
    MappedPlace,
    Passage,
    PlaceName,
)
from desktop_agent.vision.observation import Element, Observation

MOST_PLACES = 40
MOST_CONTROLS = 150
"""Of one place in view, and as many again that have gone from it."""
MOST_PASSAGES = 200
_LATE = 3
"""Looks after an action in which what it brought may come up."""
_VALUE = 80  # characters of a value
_FRAMES = frozenset(("frame", "dialog", "window", "alert", "file chooser"))
_READ_ONLY = _FRAMES | frozenset((
    "application", "block quote", "caption", "document frame", "document web", "filler", "footer", "form", "grouping",
    "heading", "image", "label", "landmark", "layered pane", "log", "marquee", "menu bar", "notification", "panel",
    "paragraph", "progress bar", "root pane", "scroll bar", "scroll pane", "section", "separator", "split pane", "static",
    "status bar", "subscript", "superscript", "title bar", "tool bar", "tool tip", "viewport",
))  # fmt: skip
_ITEMS = frozenset(("list item", "tree item"))
_INNER = frozenset(
    ("menu", "menu item", "check menu item", "radio menu item", "list item", "tree item", "option")
)
_HOLDERS = frozenset(("menu", "menu item", "menu button", "tree item", "combo box", "combobox"))
_SET = frozenset(("checked", "selected", "expanded", "pressed"))
_TICKED = frozenset(("check box", "radio button", "switch", "toggle button", "toggle switch"))


MOST_LINES = 12
LINE = 160
"""Characters of a line."""
_NAME = 40
_MENUS = frozenset(("menu", "menu item", "check menu item", "radio menu item"))


@dataclass(frozen=True)
class _Raw:
    """What a place was made of: most looks show the same again."""

    controls: list[Element]
    by_name: Mapping[ControlName, Element]
    chosen: ControlName | None


@dataclass(frozen=True)
class _Pressed:
    """What was pressed last, and where: what comes up in the next looks is its doing."""

    place: PlaceName
    control: ControlName
    count: int
    clean: bool
    looks: int = 0


@dataclass
class _Window:
    """What a look shows of one window, shared out in one pass."""

    title: str
    controls: list[Element] = field(default_factory=list)
    tabs: list[Element] = field(default_factory=list)
    headings: list[Element] = field(default_factory=list)
    items: list[Element] = field(default_factory=list)
    document: Element | None = None
    origin: Rect | None = None
    application: str = ""


class MapMaker:
    """Makes the map of one session; only the agent's thread uses it. What it keeps is bounded.

    It takes in what the looks show after the privacy filter, and no value of a password field. `sources` are whose
    content it holds from earlier runs.
    """

    def __init__(self) -> None:
        self.sources: frozenset[Subject] = frozenset()
        self.map = DesktopMap()
        self._places: dict[PlaceName, MappedPlace] = {}
        self._passages: dict[tuple[PlaceName, ControlName], Passage] = {}
        self._raw: dict[PlaceName, _Raw] = {}
        self._pressed: _Pressed | None = None
        self._entered: set[PlaceName] = set()
        self._looks = 0
        self._last: Observation | None = None
        self._names: dict[str, PlaceName] = {}
        self._begun = False

    def begin(self) -> None:
        """A run begins: with its first look, what belongs to windows that are gone for good is forgotten."""
        self._pressed, self._last, self._begun = None, None, False
        self._entered.clear()

    def look(self, observation: Observation) -> None:
        """Take in a look. One at a part of the screen only tells nothing."""
        if observation is self._last or self._is_part(observation):
            return
        self._last, self._looks = observation, self._looks + 1
        windows = _windows(observation)
        before = self.map
        self._names = {
            title: place_name(w.application, title, w.tabs, w.headings, w.document)
            for title, w in windows.items()
        }
        here = self._names.get(observation.window)
        opener = self._come_from(here, observation, before)
        self._raw = {
            name: self._take_in(name, windows[title], observation, opener if name == here else None)
            for title, name in self._names.items()
        }
        self._entered.intersection_update(self._names.values())
        self._bound(observation)
        self.map = DesktopMap(
            dict(self._places),
            dict(self._passages),
            here,
            frozenset(self._names.values()),
            observation.windows,
        )

    def act(self, deeds: Iterable[Deed], observation: Observation) -> None:
        """Take in what was done against a look; what it led to is learnt from the looks that follow."""
        done = [each.op for each in deeds if each.outcome == "done" and not each.op.traits.passive]
        if not done:
            return
        self._pressed = None
        only = done[0] if len(done) == 1 else None
        pressed = _pressed_element(only, observation)
        place = self._names.get(pressed.window or observation.window) if pressed else None
        if pressed is not None and place is not None and pressed.name:
            count = getattr(only, "count", 1)
            clean = place not in self._entered
            self._pressed = _Pressed(place, (pressed.role, pressed.name), count, clean)
        ticked = pressed is not None and pressed.role in _TICKED
        if ticked or any(each.traits.keyboard or isinstance(each, ops.Type) for each in done):
            self._entered.update(filter(None, (place or self.map.here,)))

    # ---- what a look shows -------------------------------------------------------------------

    def _is_part(self, observation: Observation) -> bool:
        last = self._last
        if last is None or last.frame.epoch != observation.frame.epoch:
            return False
        return observation.frame.region.area < last.frame.region.area

    def _take_in(
        self, name: PlaceName, window: _Window, look: Observation, opener: ControlName | None
    ) -> _Raw:
        """Note what a window shows."""
        old = self._places.get(name) or MappedPlace(name, window.title, 0)
        chosen = _id(window.items[0]) if len(window.items) == 1 else None
        last = self._raw.get(name)
        if last is not None and last.chosen == chosen and last.controls == window.controls:
            self._places[name] = msgspec.structs.replace(old, title=window.title, step=self._looks)
            return last
        raw = last.by_name if last is not None else {}
        by_id: dict[str, Element] = {}
        shown: dict[ControlName, MappedControl] = {}
        elements: dict[ControlName, Element] = {}
        for each in window.controls:
            key = (each.role, each.name)
            if key in shown:
                continue
            was = old.shown.get(key)
            if was is None or was.chosen != chosen or raw.get(key) != each:
                inner = each.role in _INNER and each.parent != ""
                if inner and not by_id:
                    by_id = {one.id: one for one in look.elements}
                came_by = opener if was is None and opener != key else None
                inside = _holder(each, by_id) if inner else None
                was = self._noted(each, was or old.gone.get(key), window.origin, inside, came_by, chosen)
            shown[key], elements[key] = was, each
            if len(shown) >= MOST_CONTROLS:
                break
        self._places[name] = MappedPlace(
            name, window.title, self._looks, shown, _gone(old, shown), old.closed_by
        )
        return _Raw(window.controls, elements, chosen)

    def _noted(
        self,
        each: Element,
        was: MappedControl | None,
        origin: Rect | None,
        inside: ControlName | None,
        came_by: ControlName | None,
        chosen: ControlName | None,
    ) -> MappedControl:
        value, states, changed = each.value, each.states & _SET, 0
        if value:
            value = "" if "password" in each.states or each.role == "password text" else value[:_VALUE]
        where = each.bounds
        if origin is not None:
            where = Rect(where.x - origin.x, where.y - origin.y, where.width, where.height)
        if was is not None:
            changed = self._looks if (was.value, was.states) != (value, states) else was.changed
            came_by = was.shown_by or came_by
        return MappedControl(
            each.role, each.name, where, value, states, self._looks, changed, inside, came_by, chosen
        )

    # ---- what led where ----------------------------------------------------------------------

    def _come_from(
        self, here: PlaceName | None, observation: Observation, before: DesktopMap
    ) -> ControlName | None:
        """Learn where what was pressed has led; what was pressed, where that may have brought up more of the same place."""
        pressed = self._pressed
        if pressed is None or here is None:
            return None
        self._pressed = replace(pressed, looks=pressed.looks + 1) if pressed.looks + 1 < _LATE else None
        if here == pressed.place:
            return pressed.control
        self._pressed = None
        fewer = len(observation.windows) < len(before.windows)
        old = self._places.get(pressed.place)
        closes = fewer and old is not None and old.title not in observation.windows
        key = (pressed.place, pressed.control)
        self._passages.pop(key, None)  # the newest stand last
        self._passages[key] = Passage(
            *key,
            here,
            step=self._looks,
            count=pressed.count,
            closes=closes,
            clean=pressed.clean or pressed.control[0] in TABS,
        )
        if closes and old is not None:
            self._places[pressed.place] = msgspec.structs.replace(old, closed_by=pressed.control)
        return None

    def _bound(self, observation: Observation) -> None:
        if not self._begun:
            self._begun = True
            self._forget_lost(observation)
        if len(self._places) > MOST_PLACES:
            oldest = sorted(self._places.values(), key=lambda each: each.step)
            for each in oldest[: len(self._places) - MOST_PLACES]:
                self._drop(each.name)
        while len(self._passages) > MOST_PASSAGES:
            del self._passages[next(iter(self._passages))]

    def _forget_lost(self, observation: Observation) -> None:
        """Drop the places whose window is open no more, unless something leads there from one that is."""
        kept = {name for name, each in self._places.items() if each.title in observation.windows}
        kept |= set(self._names.values())
        while reached := {p.to for p in self._passages.values() if p.place in kept} - kept:
            kept |= reached
        for name in self._places.keys() - kept:
            self._drop(name)

    def _drop(self, name: PlaceName) -> None:
        del self._places[name]
        self._passages = {
            key: each for key, each in self._passages.items() if name not in (each.place, each.to)
        }


def _windows(observation: Observation) -> dict[str, _Window]:
    """What a look shows of each window, by its title; popups, which have none, belong to the one in front."""
    front = observation.window
    found: dict[str, _Window] = {front: _Window(front)} if front != PRIVATE else {}
    for each in observation.elements:
        if each.source != "tree":
            continue
        title = each.window or front
        window = found.get(title)
        if window is None:
            if title == PRIVATE:
                continue
            window = found[title] = _Window(title)
        role = each.role
        if not window.application:
            window.application = each.application
        if role in _READ_ONLY:
            if role in _FRAMES:
                window.origin = window.origin or each.whole or each.bounds
            elif role == "heading":
                window.headings.append(each)
            elif each.url and window.document is None:
                window.document = each
        elif each.name:
            window.controls.append(each)
            if "selected" in each.states:
                if role in TABS:
                    window.tabs.append(each)
                elif role in _ITEMS:
                    window.items.append(each)
    return found


def _gone(
    old: MappedPlace, shown: Mapping[ControlName, MappedControl]
) -> Mapping[ControlName, MappedControl]:
    """What a place had earlier and does not show now; the oldest are dropped first."""
    gone = old.gone
    if old.shown.keys() - shown.keys():
        parted = {
            key: msgspec.structs.replace(each, step=old.step)
            for key, each in old.shown.items()
            if key not in shown
        }
        gone = {**gone, **parted}
    if gone and not shown.keys().isdisjoint(gone):
        gone = {key: each for key, each in gone.items() if key not in shown}
    return dict(list(gone.items())[-MOST_CONTROLS:]) if len(gone) > MOST_CONTROLS else gone


def _id(element: Element) -> ControlName:
    return element.role, element.name


def _holder(element: Element, by_id: Mapping[str, Element]) -> ControlName | None:
    """The nearest menu, branch or list above an entry that has a name."""
    at: Element | None = by_id.get(element.parent)
    for _ in range(8):
        if at is None:
            return None
        if at.role in _HOLDERS and at.name:
            return at.role, at.name
        at = by_id.get(at.parent)
    return None


def _pressed_element(op: ops.Op | None, observation: Observation) -> Element | None:
    """What a click with the left button was on; None for anything else."""
    if isinstance(op, ops.ClickElement) and op.button == "left":
        return next((each for each in observation.elements if each.id == op.element), None)
    if not isinstance(op, ops.Click) or op.button != "left":
        return None
    view = observation.viewport
    if op.x is None or op.y is None or op.x >= view.image.width or op.y >= view.image.height:
        return None
    return _at(view.to_screen(op.x, op.y), observation.elements)


def _at(point: Point, elements: Sequence[Element]) -> Element | None:
    """The smallest control at a point."""
    there = [
        e
        for e in elements
        if e.name and e.source == "tree" and e.role not in _READ_ONLY and e.bounds.contains(point)
    ]
    return min(there, key=lambda each: each.bounds.area, default=None)


def map_lines(map_: DesktopMap, most: int = MOST_LINES) -> str:
    """At most so many lines like `Settings ▸ Network (opened by "Settings" in Main): Proxy, DNS …`; "" for none.

    The place seen last comes first. Only names are told, no values.
    """
    places = [each for each in map_.newest() if each.name not in map_.in_view and (each.shown or each.gone)]
    return "\n".join(_line(each, map_) for each in places[:most])


def _line(place: MappedPlace, map_: DesktopMap) -> str:
    head = _title(place.name) + _opened(place, map_)
    controls = sorted((*place.shown.values(), *place.gone.values()), key=_rank)
    text, told = f"{head}: ", set[str]()
    for each in controls:
        if each.name in told:
            continue
        piece = f"{', ' if told else ''}{one_line(each.name, _NAME)}"
        if len(text) + len(piece) > LINE - 2:
            return f"{text} …"
        text += piece
        told.add(each.name)
    return text


def _opened(place: MappedPlace, map_: DesktopMap) -> str:
    """How it was come to; of a window that is still open, that it is."""
    came = map_.opened_by(place.name)
    if came is not None:
        return f" (opened by “{one_line(came.control[1], _NAME)}” in {_title(came.place)})"
    return " (still open)" if place.title in map_.windows else ""


def _title(name: PlaceName) -> str:
    title = one_line(name.window or name.application or "a window without a title", _NAME)
    return f"{title} ▸ {one_line(name.page, _NAME)}" if name.page else title


def _rank(control: MappedControl) -> int:
    """What is on a page alone comes before what all pages of a window have."""
    return 2 if control.role in TABS else 1 if control.role in _MENUS else 0
