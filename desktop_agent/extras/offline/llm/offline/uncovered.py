"""Where to press a thing that another one lies over: its middle may be the other's."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_agent.extras.offline.llm.offline.roles import ACTIVE
from desktop_agent.extras.offline.llm.offline.sight import Sight
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.vision.observation import Element

_PARTS = (5, 3, 7, 1, 9)
"""Tenths of width and height at which a free place is looked for, the middle first."""

_POPPED_UP = frozenset(("menu item", "check menu item", "radio menu item"))
"""A menu that is open lies over everything, whatever the tree tells after it."""


def free_spot(element: Element, sight: Sight) -> Point | None:
    """A pixel of the screen where nothing lies over the thing; None when its middle is free, or no place is."""
    over = _over(element, sight) if element.source == "tree" and element.role not in _POPPED_UP else []
    if not any(each.contains(element.bounds.center) for each in over):
        return None
    free = (at for at in _places(element.bounds) if not any(each.contains(at) for each in over))
    return next(free, None)


def _over(element: Element, sight: Sight) -> Sequence[Rect]:
    """Places of things to press that are drawn later, as trees tell them, and are no part of it."""
    later = [each for each in sight.front if each.window == element.window and each.role in ACTIVE]
    ids = [each.id for each in later]
    if element.id not in ids:
        return ()
    after = later[ids.index(element.id) + 1 :]
    near = [e for e in after if e.bounds.contains(element.bounds.center) and e.bounds != element.bounds]
    return [each.bounds for each in near if not sight.is_inside(each, element)]


def _places(area: Rect) -> Sequence[Point]:
    spots = [(x, y) for x in _PARTS for y in _PARTS]
    nearest = sorted(spots, key=lambda at: (at[0] - 5) ** 2 + (at[1] - 5) ** 2)
    return [Point(area.x + x * area.width // 10, area.y + y * area.height // 10) for x, y in nearest]
