"""The records of a desktop map: a place (one page of a window), a control seen in it, a passage between two places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from desktop_agent.protocol.geometry import Rect

ControlName: TypeAlias = tuple[str, str]
"""Role and name of a control; of several alike in one place only the first is kept."""
PAGE = " ▸ "
"""Between the names of nested pages."""
TABS = frozenset(("page tab", "tab", "tab item"))


class PlaceName(NamedTuple):
    """What tells a place from others: application, window title without marks and counts, address, page.

    `url` is a document's address without its query, "" where there is none. `page` are the names of the chosen tabs
    (outer ones first), else of the first headings, joined by PAGE.
    """

    application: str
    window: str
    url: str = ""
    page: str = ""

    def shares_window(self, other: PlaceName) -> bool:
        """Are both pages of one window?"""
        return self[:2] == other[:2]


class MappedControl(msgspec.Struct, frozen=True):
    """A control as it was last seen; `where` are its bounds in pixels from the upper left corner of its window.

    `step` is the look it was first seen like this in, for one that has gone the look it was last seen in; `changed`
    the look in which its value or what it is set to last differed from before, 0 for none. `inside` is the menu, branch or list
    it belongs to, `shown_by` what was pressed when it first came up, `chosen` the one item that was selected beside it.
    """

    role: str
    name: str
    where: Rect
    value: str = ""
    states: frozenset[str] = frozenset()
    step: int = 0
    changed: int = 0
    inside: ControlName | None = None
    shown_by: ControlName | None = None
    chosen: ControlName | None = None

    @property
    def id(self) -> ControlName:
        return self.role, self.name


class MappedPlace(msgspec.Struct, frozen=True):
    """A place with its controls: `shown` in its last look (number `step`), `gone` earlier; `title` is the window's now.

    `closed_by` is what was pressed when its window last went away, None when that is not known.
    """

    name: PlaceName
    title: str
    step: int
    shown: Mapping[ControlName, MappedControl] = {}
    gone: Mapping[ControlName, MappedControl] = {}
    closed_by: ControlName | None = None

    def control(self, name: ControlName) -> MappedControl | None:
        return self.shown.get(name) or self.gone.get(name)

    def last_seen(self, name: ControlName) -> int:
        """The look in which a control was last seen, 0 for an unknown one."""
        if name in self.shown:
            return self.step
        return self.gone[name].step if name in self.gone else 0

    def children(self, name: ControlName) -> Iterator[MappedControl]:
        """The entries of a menu, branch or list that were seen."""
        for controls in (self.shown, self.gone):
            yield from (each for each in controls.values() if each.inside == name)


class Passage(msgspec.Struct, frozen=True):
    """Doing something in `place` leads `to` another (or to more of the same one).

    `way` "press": `count` clicks on `control`; "raise": bringing the window to the front, `control` is its title.
    `step` is the look it was learnt in, 0 for one that is only inferred. `closes`: the window it began in went away.
    `clean`: nothing had been typed or ticked in the place since it came up, so pressing it sends nothing.
    """

    place: PlaceName
    control: ControlName
    to: PlaceName
    way: Literal["press", "raise"] = "press"
    step: int = 0
    count: int = 1
    closes: bool = False
    clean: bool = True
