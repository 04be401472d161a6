"""Windows: closing, switching, minimizing, maximizing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from desktop_agent.extras.offline.llm.offline.intents import Phrase, Window
from desktop_agent.extras.offline.llm.offline.likeness import likeness
from desktop_agent.extras.offline.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.policies.opening import bring_up
from desktop_agent.extras.offline.llm.offline.resolve import resolve
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.observation import Element

_UNSAVED = re.compile(
    r"save (?:the )?changes|unsaved|without saving|not saved|want to save|do you want to (?:close|quit)", re.I
)
_DISCARDS = re.compile(r"(?:do not|don.?t) save|discard.*|close without saving|lose changes|no", re.I)
_SAVES = re.compile(r"save(?: (?:changes|and close|all))?|yes", re.I)
_BEGUN = "begun"
"""Remembers the turn in which it was begun with the window itself, and not only switched to it."""
_SIZE = "size"
_MOST = 0.9
"""The share of the screen from which on a window is taken to be maximized: panels take the rest."""
_TITLE = 10
"""Pixels from the upper edge of a window down to the middle of its title."""
_KEYS = {
    "close": (("alt", "f4"), ("ctrl", "q")),
    "minimize": (("super", "h"), ("alt", "f9")),
    "maximize": (("super", "up"), ("alt", "f10")),
    "restore": (("super", "down"), ("alt", "f5")),
}


def window(intent: Window, scene: Scene) -> Move:
    """Do to a window what was said; a question about unsaved work goes to the user."""
    if intent.verb == "switch":
        return switch_to(intent.what, scene)
    if intent.what and _BEGUN not in scene.memo and not scene.sight.shows(intent.what):
        other = _other_first(intent, scene)
        if other is not None:
            return other
    if intent.verb == "close":
        return _close(intent, scene)
    return _by_keys(intent, scene)


def _other_first(intent: Window, scene: Scene) -> Move | None:
    if intent.thing in ("dialog", "tab", "menu"):
        return None
    if scene.sight.window_of(intent.what) is None:
        if (
            intent.thing == "application"
            and resolve(Phrase(intent.what, spoken=intent.what), scene.sight).element
        ):
            return None
        return scene.wait(2) or Question(
            f"I see no window called “{intent.what}”. Which one do you mean?", scene.look.windows
        )
    return switch_to(intent.what, scene)


_MOST_TRIES, _OTHER_ORDER = 4, 2
"""Times of Alt+Tab before it is given up, and which of them counts on in case windows come in another order."""


def switch_to(what: str, scene: Scene) -> Move:
    """Alt+Tab through the windows until the one that is meant is in front."""
    if scene.sight.shows(what):
        return Reached(f"“{scene.look.window}” is in front.")
    title = scene.sight.window_of(what)
    if title is None:
        named = resolve(Phrase(what, spoken=what), scene.sight)
        if named.element is not None and not scene.done(ops.Open):
            if not scene.clicks():
                return Act((scene.click(named.element),), f"I click “{named.element.name}”.")
            return scene.wait(2) or Question(
                f"I clicked “{named.element.name}”, but “{scene.look.window}” is in front. Which window do you mean?",
                scene.look.windows,
            )
        return bring_up(what, scene) or Reached(f"“{scene.look.window}” is in front.")
    tries = len(scene.active_turns)
    waiting = scene.wait(2) if tries else None  # a second Alt+Tab would go back from where the first is going
    if waiting:
        return waiting
    if tries > _MOST_TRIES:
        return Question(f"I could not bring “{title}” to the front. Can you do that?")
    behind = scene.look.windows.index(
        title
    )  # by the order that is seen, once by another: it may be another one
    steps = max(1, behind if tries != _OTHER_ORDER else min(tries + 1, len(scene.look.windows) - 1))
    tabs = (ops.KeyCombo(("tab",)),) * min(steps, 6)
    return Act((ops.KeyDown("alt"), *tabs, ops.KeyUp("alt")), f"I switch to “{title}”.")


def _close(intent: Window, scene: Scene) -> Move:
    asked = unsaved_question(scene)
    if asked is not None:
        return _as_said(intent, scene) or _about_unsaved(asked, scene)
    if _BEGUN in scene.memo:
        return _closed(intent, scene)
    scene.memo[_BEGUN] = str(scene.turn)
    if intent.thing == "tab":
        return Act((ops.KeyCombo(("ctrl", "w")),), "I close the tab.")
    if intent.thing == "menu":
        return Act((ops.KeyCombo(("escape",)),), "I close the menu.")
    if intent.thing == "dialog" or scene.sight.dialog is not None:
        button = _closing_button(scene)
        if button is not None:
            return Act((scene.click(button),), f"I press “{button.name}”.")
    title = f" “{scene.look.window}”" if scene.look.window else ""
    return Act((ops.KeyCombo(_KEYS["close"][0]),), f"I close the window{title}.")


def _closing_button(scene: Scene) -> Element | None:
    for name in ("Close", "Cancel", "OK", "Dismiss", "No"):
        for each in scene.sight.front:
            if each.role in ROLES["button"] and likeness(name, each.name, exact=True) >= 90:
                return each
    return None


def _closed(intent: Window, scene: Scene) -> Move:
    """Is there a window less, or none of that title any more? A dialog that a page draws itself is no window."""
    before = scene.windows_at.get(int(scene.memo[_BEGUN]), ())
    fewer = len(scene.look.windows) < len(before) or not {*before[:1]} <= {*scene.look.windows}
    if fewer or (intent.thing == "dialog" and scene.sight.dialog is None):
        return Reached("It is closed.")
    if scene.done(ops.KeyCombo, lambda op: op.keys in (("ctrl", "w"), ("escape",))):
        return scene.wait(1) or Reached("It is closed.")
    waiting = scene.wait(3)
    if waiting:
        return waiting
    if not scene.done(ops.KeyCombo, lambda op: op.keys == _KEYS["close"][1]):
        return Act((ops.KeyCombo(_KEYS["close"][1]),), "It is still there, so I try Ctrl+Q.")
    return Question(f"“{scene.look.window}” does not close. What shall I do?")


def unsaved_question(scene: Scene) -> str | None:
    """The words of a dialog about unsaved work, if one is in front."""
    if not scene.active_turns:
        return None
    return next(
        (e.name for e in scene.sight.front if _UNSAVED.search(e.name) and e.role not in ROLES["button"]), None
    )


def _as_said(intent: Window, scene: Scene) -> Act | None:
    """What the user said beforehand about changes that are not saved."""
    if intent.unsaved == "discard":
        return discard_changes(scene)
    return _press_one_of(_SAVES, scene) if intent.unsaved == "save" else None


def discard_changes(scene: Scene) -> Act | None:
    """Answer a question about unsaved changes with the button that loses them; None when there is no such question."""
    return _press_one_of(_DISCARDS, scene) if unsaved_question(scene) is not None else None


def _press_one_of(name: re.Pattern[str], scene: Scene) -> Act | None:
    buttons = [e for e in scene.sight.front if e.role in ROLES["button"]]
    found = next((e for e in buttons if name.fullmatch(e.name.strip("_ ").replace("_", ""))), None)
    return None if found is None else Act((scene.click(found),), f"I press “{found.name}”.")


def _about_unsaved(asked: str, scene: Scene) -> Move:
    buttons = [
        e for e in scene.sight.front if e.role in ROLES["button"] and e.name and scene.sight.in_front(e)
    ]
    if scene.answer:
        for each in sorted(buttons, key=lambda e: -likeness(scene.answer, e.name)):
            if likeness(scene.answer, each.name) >= 60:
                return Act((scene.click(each),), f"I press “{each.name}”.")
    names = tuple(each.name for each in buttons)
    return Question(
        f"It asks: “{asked.strip()}” Shall I press " + " or ".join(f"“{n}”" for n in names) + "?", names
    )


def _by_keys(intent: Window, scene: Scene) -> Move:
    """Minimize, maximize, restore: by a button of the window, else the usual keys, else a double click on its title."""
    if _BEGUN not in scene.memo and intent.verb == "maximize" and _fills_screen(scene):
        return Reached("It is maximized already.")
    if _BEGUN in scene.memo and _has_changed(intent, scene):
        return Reached(f"I see that it is {intent.verb}d.")
    tried = len([turn for turn in scene.active_turns if turn >= int(scene.memo.get(_BEGUN, scene.turn))])
    waiting = scene.wait(1) if tried else None
    if waiting:
        return waiting
    ways = list(_ways(intent, scene))
    if tried >= len(ways):
        return Question(f"I could not {intent.verb} the window. Can you do that?")
    scene.memo.setdefault(_BEGUN, str(scene.turn))
    scene.memo.setdefault(_SIZE, str(_size(scene)))
    return Act((ways[tried],), "Nothing has changed, so I try another way." if tried else f"I {intent.verb} the window.")  # fmt: skip


def _ways(intent: Window, scene: Scene) -> Iterator[ops.Op]:
    for each in scene.sight.front:
        if each.role in ROLES["button"] and likeness(intent.verb, each.name, exact=True) >= 90:
            yield scene.click(each)
            return
    yield from (ops.KeyCombo(keys) for keys in _KEYS[intent.verb])
    area = scene.window_area
    if area is not None and intent.verb != "minimize":
        at = scene.look.viewport.rect_to_image(Rect(area.center.x, area.y + _TITLE, 1, 1))
        yield ops.Click(at.x, at.y, count=2)


def _has_changed(intent: Window, scene: Scene) -> bool:
    """Is another window in front, or has this one another size? Where no size is known, has the picture changed?"""
    before = scene.windows_at.get(int(scene.memo[_BEGUN]), ())
    if intent.verb == "minimize" and before:
        return scene.look.window != before[0]
    was, now = int(scene.memo[_SIZE]), _size(scene)
    if not was or not now:
        return any(d.effect in ("changed", "confirmed") for d in scene.deeds[-1:])
    return now > was if intent.verb == "maximize" else now != was


def _fills_screen(scene: Scene) -> bool:
    screen = scene.look.viewport.region
    return _size(scene) > _MOST * screen.width * screen.height


def _size(scene: Scene) -> int:
    """Of the window in front, in pixels; 0 when that is not known."""
    area = scene.window_area
    return 0 if area is None else area.width * area.height
