"""The way back to a thing that is not in sight but was seen before: the tab, menu or dialog it was in."""

from __future__ import annotations

import re
from collections.abc import Callable

from desktop_agent.extras.offline.llm.offline.intents import Phrase
from desktop_agent.extras.offline.llm.offline.likeness import likeness
from desktop_agent.extras.offline.llm.offline.moves import Act
from desktop_agent.extras.offline.llm.offline.roles import ROLES, kind_fit
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.vision.mapping.desktop_map import DesktopMap
from desktop_agent.vision.mapping.map_records import MappedControl, MappedPlace, Passage
from desktop_agent.vision.observation import Element

LOOKS = 2
"""Looks in which a thing may come up by itself before the way to it is taken."""
REFUSED = "no way"
"""Remembered when a step of the way was refused."""
_STEP, _TURN, _COUNT = "way step", "way turn", "way steps"
_MOST, _SOON, _WAIT = 8, 3, 0.3
_GOOD = 84.0
_EVERYWHERE = re.compile(
    r"ok|okay|yes|no|cancel|close|accept|dismiss|apply|next|back|previous|continue|done|finish|submit|more|help",
    re.I,
)
"""Names of buttons that many windows have: that one was seen elsewhere says nothing."""
_ACTS = re.compile(
    r"\b(?:delete|remove|discard|erase|send|buy|pay|order|transfer|confirm|format|reset|unsubscribe|save|apply|submit|yes"
    r"|ok|sign|log|close|quit|exit|install|start|run)\b",
    re.I,
)
_OPENS = (
    ROLES["tab"]
    | ROLES["menu"]
    | ROLES["combo"]
    | frozenset(("tree item", "list item", "link", "check menu item"))
)
_SWITCHES = ROLES["checkbox"] | ROLES["radio"] | frozenset(("toggle switch",))


def known_way(what: Phrase, scene: Scene, allow: Callable[[Element], bool] | None = None) -> Act | None:
    """The next step to where a thing was seen; None where it is in sight, was never seen, or no safe way is known.

    Only what opens something is pressed: tabs, menus, branches, links, and buttons that brought up another window
    or page while nothing had been entered.
    """
    known = scene.map
    if known is None or scene.patience < LOOKS or REFUSED in scene.memo or _EVERYWHERE.fullmatch(what.name):
        return None
    ways = [
        (len(way), number, way)
        for number, (place, control) in enumerate(known.hidden())
        if _is_meant(what, place, control, allow) and (way := known.way_to(place.name, control.id, _harmless))
    ]
    if not ways:
        return None
    return _step(min(ways)[2][0], known, scene)


def _is_meant(
    what: Phrase, place: MappedPlace, control: MappedControl, allow: Callable[[Element], bool] | None
) -> bool:
    names = {name for name in (what.name, what.spoken) if name}
    if not any(likeness(name, control.name, exact=True) >= _GOOD for name in names):
        return False
    element = Element("", control.role, control.name, control.where, control.value, control.states)
    if (kind_fit(what.kind, element) or -1.0) < 0 or (allow is not None and not allow(element)):
        return False
    around = (place.title, place.name.page, place.name.application)
    return not what.within or any(likeness(what.within, each) >= _GOOD - 20 for each in around)


def _harmless(passage: Passage) -> bool:
    role, name = passage.control
    if passage.way == "raise":
        return True
    if passage.closes or role in _SWITCHES or _ACTS.search(name):
        return False
    return role in _OPENS or (passage.clean and passage.step > 0) or passage.place == passage.to


def _step(passage: Passage, known: DesktopMap, scene: Scene) -> Act | None:
    """Take a step, having waited for what the same step has to bring."""
    step, turn = repr((passage.place, passage.control)), int(scene.memo.get(_TURN, "-1"))
    if scene.memo.get(_STEP) == step and 0 < scene.turn - turn < _SOON and scene.can("wait"):
        return Act((ops.Wait(_WAIT),), aside=True)
    taken = int(scene.memo.get(_COUNT, "0"))
    if taken >= _MOST or (scene.memo.get(_STEP) == step and turn != scene.turn and "again" in scene.memo):
        return None
    actions = _raise(passage, scene) if passage.way == "raise" else _press(passage, known, scene)
    if not actions:
        return None
    if turn != scene.turn:
        if scene.memo.get(_STEP) == step:
            scene.memo["again"] = "yes"
        else:
            scene.memo.pop("again", None)
        scene.memo.update({_STEP: step, _TURN: str(scene.turn), _COUNT: str(taken + 1)})
    return Act(actions, f"I go back to where I saw it, by “{passage.control[1]}”.", aside=True)


def _press(passage: Passage, known: DesktopMap, scene: Scene) -> tuple[ops.Op, ...]:
    role, name = passage.control
    alike = [e for e in scene.sight.elements if e.role == role and e.name == name and e.source == "tree"]
    place = known.places.get(passage.place)
    was = place.control(passage.control) if place else None
    if not alike:
        return ()
    at = was.where if was else alike[0].bounds
    nearest = min(alike, key=lambda e: (not scene.sight.in_front(e), _far(e, at.x, at.y)))
    return (scene.click(nearest, count=passage.count),)


def _far(element: Element, x: int, y: int) -> int:
    return abs(element.bounds.x - x) + abs(element.bounds.y - y)


def _raise(passage: Passage, scene: Scene) -> tuple[ops.Op, ...]:
    title = passage.control[1]
    if title not in scene.look.windows[1:] or not scene.can("key_down"):
        return ()
    tabs = (ops.KeyCombo(("tab",)),) * min(scene.look.windows.index(title), 6)
    return (ops.KeyDown("alt"), *tabs, ops.KeyUp("alt"))
