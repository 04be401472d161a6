"""Finds the element of an earlier observation again in a later one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from desktop_agent.vision.observation import Element


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
