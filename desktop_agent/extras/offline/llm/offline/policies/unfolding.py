"""Lists that a page draws itself: nothing tells of them until they are unfolded."""

from __future__ import annotations

import re

from desktop_agent.extras.offline.llm.offline.moves import Act
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.protocol.ops import Op
from desktop_agent.vision.observation import Element

_TINY = 2
_ARROW = re.compile(r"[▾▼⌄▿∨⏷🔽˅ˇ]|(?:open|show|toggle|expand)\b.*", re.I)
_NOTCHES = 1
_MOST = 12


def unfold(scene: Scene) -> Act | None:
    """Open such a list, then scroll through its options; None when there is none or all of it was seen.

    Such a list keeps a box too small to see, which takes the keys for it, or an arrow to press.
    """
    options = _options(scene)
    if "unfolded" in scene.memo and options:
        return _scroll(options, scene)
    if "unfolded" in scene.memo:
        return scene.wait(2)
    opener = _opener(scene)
    if opener is None:
        return None
    scene.memo["unfolded"] = "yes"
    return Act((scene.click(opener),), "I open the list.")


def _options(scene: Scene) -> list[Element]:
    found = [e for e in scene.sight.front if e.role in ("list item", "menu item", "option") and e.name]
    return list(scene.sight.on_page(found))


def at_edge(option: Element, scene: Scene) -> Op | None:
    """A click on the upper edge of the last option in sight: the list may well cut off the rest. None for others."""
    options = _options(scene)
    if "unfolded" not in scene.memo or len(options) < 2 or option.id != options[-1].id:
        return None
    place = scene.look.viewport.rect_to_image(option.bounds)
    return ops.Click(place.center.x, place.y + max(2, place.height // 8))


def _opener(scene: Scene) -> Element | None:
    page = scene.sight.document
    inside = [e for e in scene.sight.front if page is not None and scene.sight.is_inside(e, page)]
    tiny = [e for e in inside if "focusable" in e.states and max(e.bounds.width, e.bounds.height) <= _TINY]
    arrows = [
        e for e in inside if e.role in ROLES["button"] | {"static", "label"} and _ARROW.fullmatch(e.name)
    ]
    found = tiny or arrows
    return found[0] if len(found) == 1 else None


def _scroll(options: list[Element], scene: Scene) -> Act | None:
    turned = scene.done(ops.ScrollElement)
    still = bool(turned) and turned[-1].turn == scene.turn - 1 and turned[-1].effect == "unchanged"
    if len(turned) >= _MOST or (still and scene.memo.get("way") == "up"):
        return None
    if still:
        scene.memo["way"] = "up"
    notches = _NOTCHES if scene.memo.get("way") == "up" else -_NOTCHES
    return Act(scene.roll(options[0], notches))
