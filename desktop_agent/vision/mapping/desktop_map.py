"""The map of a desktop as it stands after a look: named places, where things were, and how to get from one place to another."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from desktop_agent.vision.mapping.map_records import (
    PAGE,
    TABS,
    ControlName,
    MappedControl,
    MappedPlace,
    Passage,
    PlaceName,
)
from desktop_agent.vision.observation import Element

_DEEP = 6
"""Menus, branches and lists that are opened one inside the other, at most."""


_MARKS = re.compile(r"^[*●•\s]+|\s*[(\[]\d+[)\]]\s*")
"""What comes and goes in a name: a mark of changes, a count of what is new."""
_HEADINGS = 3
_LONG = 80


def _any(_: Passage) -> bool:
    return True


@dataclass(frozen=True)
class DesktopMap:
    """`here` is the place in front, `in_view` are all that can be seen, `windows` the titles of what is open.

    `passages` are those that were learnt, by where they begin and what is pressed.
    """

    places: Mapping[PlaceName, MappedPlace] = field(default_factory=dict)
    passages: Mapping[tuple[PlaceName, ControlName], Passage] = field(default_factory=dict)
    here: PlaceName | None = None
    in_view: frozenset[PlaceName] = frozenset()
    windows: tuple[str, ...] = ()

    def hidden(self) -> Iterator[tuple[MappedPlace, MappedControl]]:
        """Every control that is not in view now with its place, the place seen last first."""
        for place in self.newest():
            if place.name not in self.in_view:
                yield from ((place, each) for each in place.shown.values())
            yield from ((place, each) for each in place.gone.values())

    def newest(self) -> list[MappedPlace]:
        """All places, the one seen last first."""
        return sorted(self.places.values(), key=lambda each: -each.step)

    def where(self, name: str) -> tuple[MappedPlace, MappedControl] | None:
        """Where a control of that name (case apart) was last seen, if it is not in view now."""
        wanted = name.casefold()
        found = [each for each in self.hidden() if each[1].name.casefold() == wanted]
        return max(found, key=lambda each: each[0].last_seen(each[1].id), default=None)

    def way(
        self, start: PlaceName, goal: PlaceName, allow: Callable[[Passage], bool] = _any
    ) -> tuple[Passage, ...] | None:
        """The shortest way over passages that are allowed; () where start is the goal, None where no way is known."""
        came: dict[PlaceName, Passage] = {}
        ahead = deque((start,))
        while ahead and goal not in came and start != goal:
            at = ahead.popleft()
            for each in self.leaving(at):
                if each.to not in came and each.to != start and allow(each):
                    came[each.to] = each
                    ahead.append(each.to)
        if start != goal and goal not in came:
            return None
        found: list[Passage] = []
        while goal != start:
            found.append(came[goal])
            goal = came[goal].place
        return tuple(reversed(found))

    def way_to(
        self, place: PlaceName, control: ControlName, allow: Callable[[Passage], bool] = _any
    ) -> tuple[Passage, ...] | None:
        """The way from what is in front to a control: to its place, then through what has to be opened there."""
        if self.here is None:
            return None
        way = self.way(self.here, place, allow)
        inner = self._revealing(self.places[place], control) if way is not None else None
        if way is None or inner is None or not all(map(allow, inner)):
            return None
        return (*way, *inner)

    def leaving(self, name: PlaceName) -> Iterator[Passage]:
        """What leads away from a place: what was learnt there or on another page of its window, tabs, open windows."""
        place = self.places.get(name)
        if place is None:
            return
        learnt = [each for each in self.passages.values() if each.place.shares_window(name)]
        own = (each for each in learnt if each.place == name)
        shared = (each for each in learnt if each.place != name and each.control in place.shown)
        for each in (*own, *shared):
            yield Passage(
                name, each.control, each.to, "press", each.step, each.count, each.closes, each.clean
            )
        tabs = {steady(each.name): each.id for each in place.shown.values() if each.role in TABS}
        chosen = set(name.page.split(PAGE))
        for to in self.places:
            if to != name and to[:3] == name[:3]:
                new = [tabs[part] for part in to.page.split(PAGE) if part in tabs and part not in chosen]
                yield from (Passage(name, each, to) for each in new[:1])
        yield from self._raising(name)

    def _raising(self, name: PlaceName) -> Iterator[Passage]:
        """To the page of each other open window that it showed last."""
        told: set[str] = {self.places[name].title}
        for place in self.newest():
            if place.title in self.windows and place.title not in told:
                told.add(place.title)
                yield Passage(name, ("window", place.title), place.name, "raise")

    def _revealing(self, place: MappedPlace, control: ControlName) -> tuple[Passage, ...] | None:
        """What has to be pressed in a place until a control that has gone is there again; None where that is not known."""
        opened: list[ControlName] = []
        while control not in place.shown:
            known = place.gone.get(control)
            opener = known and (known.inside or known.shown_by or known.chosen)
            if not opener or opener in opened or opener == control or len(opened) >= _DEEP:
                return None
            opened.insert(0, opener)
            control = opener
        return tuple(Passage(place.name, each, place.name) for each in opened)

    def opened_by(self, place: PlaceName) -> Passage | None:
        """The newest passage into a place that is no way back."""
        into = [each for each in self.passages.values() if each.to == place and not self.is_back(each)]
        return max(into, key=lambda each: each.step, default=None)

    def is_back(self, passage: Passage) -> bool:
        """Does it lead to where its place was come to from before it was learnt?"""
        return any(
            (each.place, each.to) == (passage.to, passage.place) and 0 < each.step < passage.step
            for each in self.passages.values()
        )


def steady(name: str) -> str:
    """A window's, tab's or heading's name without what comes and goes in it."""
    return _MARKS.sub(" ", name).strip()[:_LONG]


def place_name(
    application: str,
    title: str,
    tabs: Sequence[Element],
    headings: Sequence[Element],
    document: Element | None,
) -> PlaceName:
    """The name of a window's page; `tabs` are the chosen ones, `document` is what has an address."""
    url = _address(document.url) if document is not None else ""
    if document is not None:
        depth = len(document.trail)
        tabs = [each for each in tabs if depth and each.trail[:depth] == document.trail]
    if not tabs and not url:
        tabs = headings[:_HEADINGS]
    page = PAGE.join(dict.fromkeys(filter(None, (steady(each.name) for each in tabs))))
    return PlaceName(application, steady(title), url, page)


def _address(url: str) -> str:
    """Without its query, which may hold what is nobody else's, and without a fragment that is no page of its own."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    page = f"#{parts.fragment.split('?')[0]}" if parts.fragment.startswith(("/", "!")) else ""
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}{page}"
