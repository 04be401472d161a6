"""Searching: the search box at hand, else the browser's address bar, else the find keys."""

from __future__ import annotations

import re

from desktop_agent.extras.offline.llm.offline import apps
from desktop_agent.extras.offline.llm.offline.intents import Open, Phrase, Search
from desktop_agent.extras.offline.llm.offline.likeness import likeness
from desktop_agent.extras.offline.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.places import distance
from desktop_agent.extras.offline.llm.offline.policies.entering import enter, entered
from desktop_agent.extras.offline.llm.offline.policies.opening import (
    address,
    bring_up,
    open_thing,
    unreachable,
)
from desktop_agent.extras.offline.llm.offline.policies.windows import switch_to
from desktop_agent.extras.offline.llm.offline.resolve import resolve
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element

_SEARCHES = re.compile(r"\b(?:search|find|query|look ?up|look for|keywords?)\b", re.I)
_HERE = re.compile(
    r"(?:the )?(?:page|site|website|search (?:box|bar|field)|box|browser|window|it|here|document|text|list)",
    re.I,
)
_PAGE = re.compile(r"(?:the |this )?(?:web ?)?page", re.I)
_SEARCHED = re.compile(
    r"\s+(?:catalogue|catalog|collection|database|index|archive|site|website|web ?page|page)", re.I
)
"""What is searched belongs to what it is named after: "the library catalogue" to the library."""
_BESIDE = 60
_WEB = re.compile(r"(?:the )?(?:web|internet|online|net|web browser)", re.I)


def search(intent: Search, scene: Scene) -> Move:
    """Type the words into a search box and start the search."""
    text, place = _meant(intent, scene)
    if not text:
        return Question("I have no result yet that I could search for. What shall I search for?")
    if scene.trouble and scene.refused(ops.Type):
        return Question(f"I could not search: {scene.trouble.detail} How shall I go on?")
    if entered(scene):
        return _started(text, entered(scene)[-1].turn, scene)
    if scene.done(ops.Type, lambda op: op.text == text) and search_box(scene) is None:
        return _in_address_bar(text, scene)
    named = bool(place) and not (_HERE.fullmatch(place) or _WEB.fullmatch(place))
    if named and not scene.done(ops.Type):
        going = _to_place(place, scene)
        if going is not None:
            return going
    if _WEB.fullmatch(place):
        return _in_address_bar(text, scene)
    return _in_box(text, scene, on_page=named or _PAGE.fullmatch(place) is not None)


def _to_place(place: str, scene: Scene) -> Move | None:
    """Go where it shall be searched: to the open window that is called so, else by opening it; None when it is in front."""
    name = _SEARCHED.sub("", place)
    if scene.sight.says_in_front(place) or scene.sight.says_in_front(name):
        return None
    open_already = scene.sight.window_of(name) is not None
    going = switch_to(name, scene) if open_already else open_thing(Open(place), scene)
    return None if isinstance(going, Reached) else going


def _meant(intent: Search, scene: Scene) -> tuple[str, str]:
    """Words and place; a doubtful place counts when it is an application or to be seen."""
    if intent.result:
        return scene.result, intent.place
    if intent.sure or not intent.place:
        return intent.text, intent.place
    known = apps.sort_of(intent.place) or _WEB.fullmatch(intent.place) or scene.sight.says(intent.place)
    proper = intent.place[:1].isupper()
    return (intent.text, intent.place) if known or proper else (intent.whole, "")


def _in_box(text: str, scene: Scene, *, on_page: bool = False) -> Move:
    box = search_box(scene)
    if box is not None:
        note = f"I search for “{_short(text)}”."
        return enter(box, text, scene, note) or Reached(note)
    opener = resolve(
        Phrase("Search", quoted=True, spoken="Search"),
        scene.sight,
        allow=lambda e: _opens_search(e) and scene.sight.in_front(e),
    ).element
    if opener is not None and not scene.clicks():
        return Act((scene.click(opener),), f"I open the search with “{opener.name}”.")
    waiting = scene.wait(3)
    if waiting:
        return waiting
    if not on_page and (scene.sight.sort in ("", "browser") or not scene.look.window):
        return _in_address_bar(text, scene)
    if not scene.done(ops.KeyCombo):
        return Act((ops.KeyCombo(("ctrl", "f")),), "I see no search box, so I press Ctrl+F.")
    focused = scene.sight.focused
    if focused is not None and focused in scene.sight.editable and "multiline" not in focused.states:
        return Act((ops.Type(text), ops.KeyCombo(("enter",))), f"I search for “{_short(text)}”.")
    return Question(f"I see no place to search for “{_short(text)}”. Where shall I search?")


def _opens_search(element: Element) -> bool:
    return element.role in ROLES["button"] | ROLES["link"] | ROLES["icon"]


def search_box(scene: Scene) -> Element | None:
    """The box to search with: one on the page or in the window that says so, before the address bar."""
    ranked = sorted(
        ((_box_points(each, scene), each) for each in scene.sight.editable), key=lambda pair: -pair[0]
    )
    return ranked[0][1] if ranked and ranked[0][0] > 0 else None


def _box_points(box: Element, scene: Scene) -> float:
    said = box.name or " ".join(scene.sight.labels(box)[:1])
    if "multiline" in box.states or re.search(r"\baddress\b", said, re.I):
        return 0.0
    points = 10.0 if box.role == "search box" else 0.0
    points += 10.0 if _SEARCHES.search(said) or re.fullmatch(r"q|query", box.name, re.I) else 0.0
    beside = [e for e in scene.sight.front if e.role in ROLES["button"] and likeness("search", e.name) >= 80]
    near = [e for e in beside if distance(box, e, "") < 150]
    points += 6.0 if near else 0.0
    return points + (1.0 if points and "focused" in box.states else 0.0)


def _in_address_bar(text: str, scene: Scene) -> Move:
    if scene.sight.sort != "browser":
        ready = bring_up("browser", scene)
        if ready is not None:
            return ready
    return address(text, scene, f"I search the web for “{_short(text)}”.")


def _started(text: str, turn: int, scene: Scene) -> Move:
    """After Enter: the screen has changed, or the button beside the box is pressed."""
    if unreachable(scene) and scene.patience:
        return Question(f"The browser could not search: “{unreachable(scene)}” What shall I do?")
    last = [d for d in scene.deeds if d.outcome == "done" and not isinstance(d.op, ops.Wait)][-1]
    if last.effect in ("changed", "confirmed") or scene.look.windows != scene.windows_at.get(
        turn, scene.look.windows
    ):
        return scene.wait(1) or Reached(
            f"I searched for “{_short(text)}”.", f"Searched for “{_short(text)}”."
        )
    waiting = scene.wait(3)
    if waiting:
        return waiting
    button = resolve(Phrase("Search", "button", spoken="Search"), scene.sight).element or _beside(scene)
    if button is not None and button.role in ROLES["button"] and "pressed" not in scene.memo:
        scene.memo["pressed"] = "yes"
        return Act((scene.click(button),), f"Nothing has changed, so I press “{button.name}”.")
    told = f"I searched for “{_short(text)}”, but nothing on the screen has changed."
    return Reached(told, told)


def _beside(scene: Scene) -> Element | None:
    """The button right of the search box, whatever it is called."""
    box = search_box(scene)
    beside = scene.sight.right_of(box, _BESIDE) if box is not None else None
    return beside if beside is not None and beside.role in ROLES["button"] else None


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
