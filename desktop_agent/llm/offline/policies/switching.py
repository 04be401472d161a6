"""Switching check boxes, radio buttons and toggles, until they are seen to be as they should."""

from __future__ import annotations

import re

import msgspec

from desktop_agent.llm.offline.intents import Check, Phrase
from desktop_agent.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.llm.offline.places import reading_order
from desktop_agent.llm.offline.policies.locate import locate, missing, spoken
from desktop_agent.llm.offline.policies.pointing import several
from desktop_agent.llm.offline.resolve import ROLES, resolve
from desktop_agent.llm.offline.scene import Scene
from desktop_agent.vision.observation import Element

_ALL = re.compile(
    r"(?:all|every|each|both)(?: of)?(?: the)?(?: check ?boxes| box(?:es)?| options?| items?)?", re.I
)


def check(intent: Check, scene: Scene) -> Move:
    """Switch boxes on or off until they are seen to be so."""
    if _ALL.fullmatch(intent.what.spoken):
        return _check_all(intent, scene)
    for what in several(intent.what, scene) or (intent.what,):
        found = _box_of(what, scene)
        if isinstance(found, Act | Question):
            return found
        wanted = intent.on if intent.on is not None else not _was_checked(found, scene)
        move = switch(found, wanted, scene)
        if not isinstance(move, Reached):
            return move
    return Reached(f"“{spoken(intent.what)}” is {'off' if intent.on is False else 'on'}.")


def _check_all(intent: Check, scene: Scene) -> Move:
    boxes = [e for e in reading_order(scene.sight.front) if e.role in ROLES["checkbox"]]
    if not boxes:
        return scene.wait(3) or missing(scene, intent.what)
    wrong = [e for e in boxes if is_on(e) != (intent.on is not False)]
    if not wrong:
        return Reached(f"All {len(boxes)} boxes are {'off' if intent.on is False else 'on'}.")
    return switch(wrong[0], intent.on is not False, scene)


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


def is_on(element: Element) -> bool:
    return bool(element.states & {"checked", "pressed"}) or (
        element.role in ("list item", "page tab") and "selected" in element.states
    )


def switch(element: Element, on: bool, scene: Scene) -> Move:
    if is_on(element) == on and element.source == "tree":
        return Reached(f"“{element.name}” is {'on' if on else 'off'}.")
    clicks = scene.clicks(element.name)
    if not clicks:
        return Act((scene.click(element),), f"I {'check' if on else 'uncheck'} “{element.name}”.")
    if element.source == "ocr":
        return Reached(f"I clicked “{element.name}”.")
    waiting = scene.wait(2)
    if waiting:
        return waiting
    if len(clicks) < 2:
        return Act((scene.click(element),), "It has not changed, so I click it once more.")
    return Question(f"“{element.name}” stays {'off' if on else 'on'} although I clicked it. What shall I do?")
