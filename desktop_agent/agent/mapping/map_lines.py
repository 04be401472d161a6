"""The short form of a desktop map: one line for each place that is not in view."""

from __future__ import annotations

from desktop_agent.vision.elements.describe import one_line
from desktop_agent.vision.mapping.desktop_map import DesktopMap
from desktop_agent.vision.mapping.map_records import TABS, MappedControl, MappedPlace, PlaceName

MOST_LINES = 12
LINE = 160
"""Characters of a line."""
_NAME = 40
_MENUS = frozenset(("menu", "menu item", "check menu item", "radio menu item"))


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
