"""Says in words which windows and elements came and went between two observations, and finds an element again in a later one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from desktop_agent.vision.elements.describe import one_line
from desktop_agent.vision.observation import Element, Observation

MOST = 4
"""How many elements that came, and how many that went, are named."""
_NAME = 60  # characters of a name


def news(before: Observation, after: Observation) -> str:
    """The difference, as in `opened the window “Save As”; new: button “OK”; gone: menu item “Save”`; "" for none.

    Elements count only when they have a name, come from the accessibility tree, and both frames show one region.
    """
    opened, closed = _without(after.windows, before.windows), _without(before.windows, after.windows)
    parts = [_windows("opened", opened), _windows("closed", closed)]
    if before.frame.region == after.frame.region:
        was, now = (Counter(map(_named, _tellable(each.elements))) for each in (before, after))
        parts += [_listed("new", now - was), _listed("gone", was - now)]
    return "; ".join(filter(None, parts))


def _without(some: Sequence[str], others: Sequence[str]) -> list[str]:
    return list((Counter(some) - Counter(others)).elements())


def _tellable(elements: Iterable[Element]) -> Iterable[Element]:
    return (each for each in elements if each.name and each.source == "tree")


def _named(element: Element) -> str:
    return f"{one_line(element.role, _NAME)} “{one_line(element.name, _NAME)}”"


def _windows(verb: str, titles: Sequence[str]) -> str:
    if not titles:
        return ""
    named = ", ".join(f"“{one_line(title, _NAME)}”" for title in titles[:MOST])
    return f"{verb} the window{'s' if len(titles) > 1 else ''} {named}"


def _listed(word: str, names: Counter[str]) -> str:
    if not names:
        return ""
    more = f" and {len(names) - MOST} more" if len(names) > MOST else ""
    return f"{word}: {', '.join(list(names)[:MOST])}{more}"


def find_again(thing: Element, elements: Iterable[Element]) -> Element | None:
    """The element among `elements` that `thing` of an earlier observation is now; None when it has gone.

    Only elements of the same process and role count. The nearest one wins that shares, in this order: name
    and place, name and path in the tree, name, place and window, path and window.
    """
    same = [each for each in elements if (each.pid, each.role) == (thing.pid, thing.role)]
    ways = (
        [each for each in same if each.name == thing.name and each.bounds == thing.bounds],
        [each for each in same if each.name == thing.name and each.trail == thing.trail != ()],
        [each for each in same if each.name == thing.name != ""],
        [each for each in same if each.bounds == thing.bounds and each.window == thing.window],
        [each for each in same if each.trail == thing.trail != () and each.window == thing.window],
    )
    return next((_nearest(thing, found) for found in ways if found), None)


def _nearest(thing: Element, found: Sequence[Element]) -> Element:
    at = thing.bounds.center
    return min(found, key=lambda e: abs(e.bounds.center.x - at.x) + abs(e.bounds.center.y - at.y))
