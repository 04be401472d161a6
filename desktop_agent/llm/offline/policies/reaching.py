"""Getting at things for sure: the cursor into one of several boxes, a thing at the edge of a list into full view."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_agent.llm.offline.moves import Act
from desktop_agent.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Point
from desktop_agent.vision.observation import Element

SETTLE = ops.Wait(0.25)
"""After the wheel: trees tell later than the picture where things have come to."""
_TRIES = 2
_EDGE = 24
_MOST_NUDGES = 4


def into(scene: Scene, box: Element, note: str = "") -> Act | None:
    """Click a box until it has the focus; None when it may be typed into. For intents that click other things, too."""
    place = f"into {box.bounds.x},{box.bounds.y}"
    tries = int(scene.memo.get(place, "0"))
    if "focused" in box.states:
        return None
    if tries >= _TRIES or (tries and "focusable" not in box.states):
        return None
    if tries and scene.patience < 1:
        return scene.wait(1)
    scene.memo[place] = str(tries + 1)
    return Act((scene.click(box),), note)


def nudge(scene: Scene, target: Element, things: Sequence[Element]) -> Act | None:
    """What stands at the lower edge of all that is seen may be cut off there: scroll a little before it is pressed.

    None when it stands well inside, or when there is nothing further to scroll.
    """
    nudges = int(scene.memo.get("nudges", "0"))
    if not at_edge(scene, target, things) or nudges >= _MOST_NUDGES or not scene.can("scroll"):
        return None
    scene.memo["nudges"] = str(nudges + 1)
    at = middle(scene, things)
    return Act((ops.Scroll(0, -1, at.x, at.y), SETTLE))


def at_edge(scene: Scene, target: Element, things: Sequence[Element]) -> bool:
    """Does it stand at the lower edge of what can still be scrolled?"""
    lowest = max((each.bounds.bottom for each in things), default=0)
    return target.bounds.bottom >= lowest - _EDGE and not stands_still(scene)


def stands_still(scene: Scene) -> bool:
    """Did the last turn of the wheel change nothing, and was nothing pressed since that may have made room for more?"""
    turned = [d for d in scene.deeds if isinstance(d.op, ops.Scroll) and d.outcome == "done"]
    return bool(turned) and turned[-1].effect == "unchanged" and not scene.clicked_at(turned[-1].turn + 1)


def middle(scene: Scene, things: Sequence[Element]) -> Point:
    """A place among most of the things, in pixels of the picture: the wheel turns what is under the pointer."""
    ordered = sorted(things, key=lambda e: e.bounds.center.y)
    column = sorted(each.bounds.center.x for each in things)
    at = Point(column[len(column) // 2], ordered[len(ordered) // 2].bounds.center.y)
    return scene.look.viewport.to_image(at)


def pointed(scene: Scene, target: Element) -> Act | None:
    """Icons may look different under the pointer (and be away for a moment): point before the first press of a kind."""
    sort = f"pointed {target.name}"
    if target.role != "image" or scene.memo.get(sort) or not scene.can("hover_element"):
        return None
    scene.memo[sort] = "yes"
    return Act((ops.HoverElement(target.id), ops.Wait(0.3)))
