"""Clicking, hovering, dragging, focusing, menus and scrolling."""

from __future__ import annotations

import re

import msgspec

from desktop_agent.extras.offline.llm.offline.intents import (
    Browse,
    Click,
    ClickAt,
    Drag,
    Focus,
    Hover,
    Phrase,
    Scroll,
)
from desktop_agent.extras.offline.llm.offline.likeness import likeness
from desktop_agent.extras.offline.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.phrase import phrase
from desktop_agent.extras.offline.llm.offline.policies.locate import empty_spot, locate, missing, spoken
from desktop_agent.extras.offline.llm.offline.policies.menus import look_in_menus, menu_bar
from desktop_agent.extras.offline.llm.offline.policies.paging import nth_result
from desktop_agent.extras.offline.llm.offline.policies.sending import stand_in
from desktop_agent.extras.offline.llm.offline.quoting import Masked
from desktop_agent.extras.offline.llm.offline.resolve import resolve
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element

_ONE = "one thing"
"""Remembered of a name like “Yes, archive” that one thing had: it is none of several when it is gone."""
_NOTCHES = 5
_MAX_SCROLLS = 25
_MAX_CLICKS = 3
_EMPTY = re.compile(
    r"(?:empty|blank|free|white) (?:area|space|place|spot|part)(?: .*)?|background|desktop", re.I
)
_CLOSES = re.compile(
    r"ok|okay|yes|no|cancel|close|accept|dismiss|discard|don.t save|replace|overwrite|confirm|leave|stay|save|open|create",
    re.I,
)


def click(intent: Click, scene: Scene) -> Move:
    """Click what is meant, as often as said."""
    if intent.what.kind == "result" and intent.what.ordinal and not intent.what.name:
        listed = nth_result(intent, scene)
        if listed is not None:
            return listed
    acted = _clicks(intent.what, scene)
    parts = () if scene.memo.get(_ONE) else several(intent.what, scene)
    goal = len(parts) if parts else 1
    if scene.trouble and acted < goal:
        return _troubled(intent.what, scene)
    if acted >= goal:
        return after_click(intent.what, scene)
    what = parts[acted] if parts else intent.what
    if not parts and resolve(what, scene.sight).element is not None:
        scene.memo[_ONE] = "yes"
    found = stand_in(what, scene) or locate(scene, what)
    if isinstance(found, Act | Question):
        in_menu = look_in_menus(what, scene)
        if in_menu is not None:
            return in_menu
        spot = empty_spot(scene) if _EMPTY.fullmatch(what.spoken) else None
        if spot is None:
            return found
        button, count = intent.button, intent.count
        return Act((ops.Click(spot.x, spot.y, button, count),), f"I {_verb(intent)} an empty place.")
    one = scene.click(found, intent.button, intent.count, intent.modifiers)
    return Act(
        (one,) * min(8, intent.times), f"I {_verb(intent)} “{found.name or found.value or spoken(what)}”."
    )


def _clicks(what: Phrase, scene: Scene) -> int:
    """Turns in which the thing itself was clicked, and not a menu in search of it."""
    searched = [f"“{bar.name}”" for bar in menu_bar(scene) if likeness(what.name, bar.name) < 84]
    return len({d.turn for d in scene.clicks() if not any(name in d.words for name in searched)})


def several(what: Phrase, scene: Scene) -> tuple[Phrase, ...]:
    """ "Newsletter and Terms": two things, unless one thing has that name."""
    if what.quoted or not any(mark in what.name for mark in (" and ", ", ")):
        return ()
    if resolve(what, scene.sight).element is not None:
        return ()
    names = [each.strip() for each in what.name.replace(", and ", ", ").replace(" and ", ", ").split(", ")]
    return tuple(
        msgspec.structs.replace(phrase(n, Masked(n)), kind=what.kind, within=what.within) for n in names if n
    )


def after_click(what: Phrase, scene: Scene) -> Move:
    """A click is done when it was carried out; a dialog that it should have closed must be gone.

    (Browsers take no clicks in the first half second of a dialog.)
    """
    still = _still_there(what, scene)
    if still is not None and len(scene.clicks()) < _MAX_CLICKS:
        return scene.wait(1) or Act((scene.click(still),), "The dialog is still there, so I click once more.")
    last = scene.clicks()[-1]
    if last.effect == "unchanged":
        return scene.wait(1) or Reached(f"I clicked “{spoken(what)}”, but saw nothing change.")
    return Reached(f"I clicked “{spoken(what)}”.")


def _still_there(what: Phrase, scene: Scene) -> Element | None:
    """The button that was clicked, if it should have closed the dialog that it is still seen in."""
    dialog, found = scene.sight.dialog, resolve(what, scene.sight).element
    if dialog is None or found is None or not _CLOSES.fullmatch(found.name.strip("_ ")):
        return None
    return found if scene.sight.is_inside(found, dialog) else None


def _troubled(what: Phrase, scene: Scene) -> Move:
    deed = scene.trouble
    tries = sum(isinstance(d.op, ops.ClickElement | ops.Click) for d in scene.deeds)
    found = resolve(what, scene.sight).element
    if found is not None and tries < 2:
        at = scene.look.viewport.rect_to_image(found.bounds).center
        return Act((ops.Click(at.x, at.y),), "That did not work, so I click at its place.")
    return Question(f"I could not click “{spoken(what)}”: {deed.detail if deed else ''} How shall I go on?")


def _verb(intent: Click) -> str:
    verb = {1: "click", 2: "double-click", 3: "triple-click"}[intent.count]
    return verb if intent.button == "left" else f"{intent.button}-{verb}"


def click_at(intent: ClickAt, scene: Scene) -> Move:
    """Click a pixel of the picture."""
    if scene.trouble:
        return Question(
            f"I cannot click at {intent.x},{intent.y}: {scene.trouble.detail} Where shall I click?"
        )
    if scene.deeds:
        return Reached()
    return Act(
        (ops.Click(intent.x, intent.y, intent.button, intent.count),), f"I click at {intent.x},{intent.y}."
    )


def hover(intent: Hover, scene: Scene) -> Move:
    """Move the pointer over a thing."""
    if scene.done(ops.HoverElement) or scene.done(ops.Move):
        return Reached()
    found = locate(scene, intent.what)
    if isinstance(found, Act | Question):
        return found
    at = scene.look.viewport.rect_to_image(found.bounds).center
    one = ops.HoverElement(found.id) if scene.can("hover_element") else ops.Move(at.x, at.y)
    return Act((one,), f"I point at “{found.name}”.")


def focus(intent: Focus, scene: Scene) -> Move:
    """Give a thing the keyboard focus: by a click where text goes, else without pressing it."""
    if scene.done(ops.FocusElement) or scene.clicks():
        return Reached()
    found = locate(scene, intent.what)
    if isinstance(found, Act | Question):
        return found
    if "focused" in found.states:
        return Reached(f"“{found.name}” has the cursor.")
    editable = found in scene.sight.editable or not scene.can("focus_element")
    return Act(
        (scene.click(found) if editable else ops.FocusElement(found.id),),
        f"I go to “{found.name or spoken(intent.what)}”.",
    )


def drag(intent: Drag, scene: Scene) -> Move:
    """Drag one thing onto another."""
    dragged = scene.done(ops.DragElement) or scene.done(ops.Drag)
    if dragged and dragged[-1].effect == "unchanged":
        return scene.wait(2) or Question(
            f"I dragged “{spoken(intent.what)}” onto “{spoken(intent.onto)}”, but nothing has changed. How shall I go on?"
        )
    if dragged:
        return Reached(f"I dragged “{spoken(intent.what)}” onto “{spoken(intent.onto)}”.")
    if scene.trouble:
        return Question(
            f"I could not drag “{spoken(intent.what)}”: {scene.trouble.detail} How shall I go on?"
        )
    one = locate(scene, intent.what)
    if isinstance(one, Act | Question):
        return one
    other = locate(scene, intent.onto)
    if isinstance(other, Act | Question):
        return other
    return Act((_dragged(one, other, scene),), f"I drag “{one.name}” onto “{other.name}”.")


def _dragged(one: Element, other: Element, scene: Scene) -> ops.Op:
    if scene.can("drag_element"):
        return ops.DragElement(one.id, other.id)
    start, end = (scene.look.viewport.rect_to_image(each.bounds).center for each in (one, other))
    return ops.Drag((ops.Spot(start.x, start.y), ops.Spot(end.x, end.y)))


def browse(intent: Browse, scene: Scene) -> Move:
    """Back, forward, reload: by the keys that browsers and file managers share."""
    if scene.deeds:
        return scene.wait(1) or Reached()
    keys = {"back": ("alt", "left"), "forward": ("alt", "right"), "reload": ("f5",)}[intent.move]
    return Act(
        (ops.KeyCombo(keys),),
        {"back": "I go back.", "forward": "I go forward.", "reload": "I reload."}[intent.move],
    )


# ---- scrolling -----------------------------------------------------------------------------------


def scroll(intent: Scroll, scene: Scene) -> Move:
    """Scroll an amount, to the end, or until something is in sight."""
    if intent.until:
        return _scroll_until(intent, scene)
    turned = scene.active_turns
    if scene.trouble:
        return Question(f"I could not scroll: {scene.trouble.detail} How shall I go on?")
    if intent.unit == "end":
        return Reached() if len(turned) >= 8 or _stands_still(scene) else _turn(intent, 100, scene)
    if intent.unit == "pages" and intent.direction in ("up", "down"):
        key = f"page_{intent.direction}"
        return (
            Reached()
            if turned
            else Act((ops.KeyCombo((key,)),) * min(8, intent.amount), f"I scroll {intent.direction}.")
        )
    return Reached() if turned else _turn(intent, intent.amount, scene)


def _turn(intent: Scroll, notches: int, scene: Scene) -> Move:
    dx = {"left": -notches, "right": notches}.get(intent.direction, 0)
    dy = {"up": notches, "down": -notches}.get(intent.direction, 0)
    note = "" if scene.active_turns else f"I scroll {intent.direction}."
    if intent.over:
        over = locate(scene, phrase(intent.over, Masked(intent.over)))
        if isinstance(over, Act | Question):
            return over
        return Act((ops.ScrollElement(over.id, dx, dy),), note)
    middle = scene.sight.center()
    return Act((ops.Scroll(dx, dy, middle.x, middle.y),), note)


def _stands_still(scene: Scene) -> bool:
    turned = scene.done(ops.Scroll) + scene.done(ops.ScrollElement)
    return bool(turned) and max(turned, key=lambda d: d.turn).effect == "unchanged"


def _scroll_until(intent: Scroll, scene: Scene) -> Move:
    what = phrase(scene.answer or intent.until, Masked(scene.answer or intent.until))
    found = resolve(what, scene.sight)
    if found.element is not None or found.ambiguous:
        return Reached(f"I see “{spoken(what)}”.")
    if not scene.active_turns and scene.patience < 2:
        return scene.wait(2) or Reached()
    if _stands_still(scene) or len(scene.active_turns) >= _MAX_SCROLLS:
        return missing(scene, what, found.candidates)
    return _turn(intent, _NOTCHES, scene)
