"""Getting at things for sure: the cursor into one of several boxes, a thing at the edge of a list into full view."""

from __future__ import annotations

from collections.abc import Sequence

from desktop_agent.llm.offline.moves import Act
from desktop_agent.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.observation import Element

_TRIES = 2
_EDGE = 8
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
    lowest = max((each.bounds.bottom for each in things), default=0)
    turned = [d for d in scene.deeds if isinstance(d.op, ops.Scroll) and d.outcome == "done"]
    still = bool(turned) and turned[-1].effect == "unchanged"
    nudges = int(scene.memo.get("nudges", "0"))
    if target.bounds.bottom < lowest - _EDGE or still or nudges >= _MOST_NUDGES or not scene.can("scroll"):
        return None
    scene.memo["nudges"] = str(nudges + 1)
    at = scene.look.viewport.rect_to_image(around(things)).center
    return Act((ops.Scroll(0, -1, at.x, at.y),))


def around(things: Sequence[Element]) -> Rect:
    """The box around several things."""
    left, top = min(e.bounds.x for e in things), min(e.bounds.y for e in things)
    right, bottom = max(e.bounds.right for e in things), max(e.bounds.bottom for e in things)
    return Rect(left, top, right - left, bottom - top)
