"""Switching check boxes, radio buttons and toggles, until they are seen to be as they should."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from desktop_agent.extras.offline.llm.offline.intents import Check, Phrase
from desktop_agent.extras.offline.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.policies import picking, ticking
from desktop_agent.extras.offline.llm.offline.policies.locate import locate
from desktop_agent.extras.offline.llm.offline.policies.menus import look_in_menus
from desktop_agent.extras.offline.llm.offline.resolve import resolve
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.extras.offline.llm.offline.states import is_on
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element

_AGREE = re.compile(r"(?:accept|agree|consent|allow)\b", re.I)
_YES = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        r"(?:yes,? )?(?:i )?(?:accept|agree|consent|allow)(?: (?:all|to|the|cookies|terms|them|everything|and|continue|close)\b.*)?",
        r"got it|ok(?:ay)?|yes",
    )
)
"""Names of buttons that agree, the plainest first."""
_TICKED = frozenset(("check menu item", "radio menu item"))
"""Entries of menus that tell whether they are on; those of some programs look so and do not."""


def check(intent: Check, scene: Scene) -> Move:
    """Switch boxes on or off until they are seen to be so."""
    but = ticking.all_but(intent.what.spoken)
    if but is not None:
        return ticking.tick_all(intent.on is not False, picking.names_in(but), scene)
    names = picking.names_in(intent.what.name)
    if len(names) > 1 and intent.on is not None and _several(intent.what, names, scene):
        return ticking.tick(names, intent.on, scene)
    if "in a menu" in scene.memo:
        return Reached(scene.memo["in a menu"])  # it closed at the click, and does not tell any more
    agreed = _agreement(intent.what, scene)
    if agreed is not None:
        return agreed
    found = _box_of(intent.what, scene)
    if isinstance(found, Act | Question):
        return look_in_menus(intent.what, scene) or found
    if found.role in _TICKED | {"menu item"}:
        return _entry(found, intent, scene)
    wanted = intent.on if intent.on is not None else not _was_checked(found, scene)
    return switch(found, wanted, scene)


def _agreement(what: Phrase, scene: Scene) -> Move | None:
    """ "Accept the cookies", where that is a button and no box to tick; None where it is not."""
    if "agreed" in scene.memo:
        return scene.wait(1) or Reached(f"I pressed “{scene.memo['agreed']}”.")
    asked = _AGREE.match(what.spoken)
    checkable = ROLES["checkbox"] | ROLES["radio"] | ROLES["toggle"]
    box = resolve(msgspec.structs.replace(what, kind=""), scene.sight, allow=lambda e: e.role in checkable)
    if (
        not asked
        or box.element is not None
        or not scene.sight.says(what.name.split()[-1] if what.name else "")
    ):
        return None
    here = scene.sight.on_page(e for e in scene.sight.front if e.role in ROLES["button"] and e.name)
    found = [each for pattern in _YES for each in here if pattern.fullmatch(each.name.strip(" !."))]
    if not found:
        return None
    scene.memo["agreed"] = found[0].name
    return Act((scene.click(found[0]),), f"I press “{found[0].name}”.")


def _entry(entry: Element, intent: Check, scene: Scene) -> Act:
    """Choose the entry of an open menu, or close the menu when the entry tells that it is as it should be."""
    on = intent.on if intent.on is not None else not is_on(entry)
    if is_on(entry) or entry.role in _TICKED:
        scene.memo["in a menu"] = f"“{entry.name}” is {'on' if on else 'off'}."
    else:
        scene.memo["in a menu"] = (
            f"I chose “{entry.name}” in the menu, which does not tell whether it was on."
        )
    closing = is_on(entry) == on and (on or entry.role in _TICKED)
    op = ops.KeyCombo(("escape",)) if closing else scene.click(entry)
    return Act((op,), f"I turn {'on' if on else 'off'} “{entry.name}”.")


def _several(what: Phrase, names: Sequence[str], scene: Scene) -> bool:
    """Are these boxes of their own, and not one of all these words?"""
    return (
        not what.quoted and ticking.find(what.name, scene).element is None and ticking.are_boxes(names, scene)
    )


def _box_of(what: Phrase, scene: Scene) -> Element | Act | Question:
    kind = what.kind if what.kind in ("radio", "toggle", "option") else ""
    named = msgspec.structs.replace(what, kind=kind)
    checkable = ROLES["checkbox"] | ROLES["radio"] | ROLES["toggle"]
    found = resolve(named, scene.sight, allow=lambda e: e.role in checkable)
    if found.element is not None or found.ambiguous:
        return found.element or locate(scene, named, allow=lambda e: e.role in checkable)
    return locate(scene, named)


def _was_checked(element: Element, scene: Scene) -> bool:
    """The state before we clicked: our clicks turn it over."""
    clicks = len(scene.clicks(element.name))
    return is_on(element) != bool(clicks % 2)


_SHOWN = frozenset(("check box", "radio button"))
"""Roles whose state can be seen in a picture."""


def switch(element: Element, on: bool, scene: Scene) -> Move:
    """Click a box until it is seen to be on (or off)."""
    shows = element.source == "tree" or element.role in _SHOWN  # a mere word does not show whether it is on
    if is_on(element) == on and shows:
        return Reached(f"“{element.name}” is {'on' if on else 'off'}.")
    clicks = scene.clicks(element.name)
    if not clicks:
        return Act((scene.click(element),), f"I {'check' if on else 'uncheck'} “{element.name}”.")
    if not shows:
        return Reached(f"I clicked “{element.name}”.")
    waiting = scene.wait(2)
    if waiting:
        return waiting
    if len(clicks) < 2:
        return Act((scene.click(element),), "It has not changed, so I click it once more.")
    return Question(f"“{element.name}” stays {'off' if on else 'on'} although I clicked it. What shall I do?")
