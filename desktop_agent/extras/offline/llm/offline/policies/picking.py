"""Several options at once: "A, B and C", "A or B", "all but A", in boxes, in lists, and in lists that scroll."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_agent.extras.offline.llm.offline.likeness import likeness
from desktop_agent.extras.offline.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element

LISTS = frozenset(("list box", "list", "tree", "table", "tree table"))
_SPLIT = re.compile(r"""\s*(?:,|;|\s(?:and|as well as|plus|&))\s+(?:and\s+)?(?:the\s+)?|\s*,\s*""", re.I)
_QUOTES = "\"'“”„‘’«»`"
_NOTCHES, _LOW = 3, 200
"""Notches at a time in search of an item; one in a list lower than so many pixels."""
_MOST_TURNS = 40


def names_in(said: str) -> tuple[str, ...]:
    """The names of a list as it was said: 'A, B and "C, D"' → A, B, C, D kept whole in quotation marks."""
    quoted = re.findall(r'"([^"]+)"|“([^”]+)”', said)
    if quoted and not re.sub(r'"[^"]+"|“[^”]+”|\b(?:and|or|the|as well as|plus)\b|[\s,;&]', "", said):
        return tuple(one or other for one, other in quoted)
    parts = [each.strip().strip(_QUOTES) for each in _SPLIT.split(said)]
    return tuple(dict.fromkeys(each for each in parts if each))


def box_named(source: str, scene: Scene) -> Element | None:
    """The list that is meant by a name: the one of that name, else the only one there is."""
    page = scene.sight.document
    lists = [
        e
        for e in scene.sight.front
        if e.role in LISTS and (page is None or scene.sight.is_inside(e, page)) and e.role != "table"
    ]
    named = [e for e in lists if source and likeness(source, e.name or " ".join(scene.sight.labels(e))) >= 70]
    best = named or lists
    return best[0] if len(best) == 1 else None


def pick_in_list(names: Sequence[str], box: Element, scene: Scene) -> Move:
    """Have exactly these selected in a list: a click for the first, with Ctrl for the others."""
    if len(scene.active_turns) > _MOST_TURNS:
        return Question(f"I could not select {', '.join(names)}. What shall I select instead?")
    shown = items(box, scene)
    for name in names:
        item = _item(name, shown)
        if item is None and not _picked(name, scene):
            return _search_list(name, box, scene)
        if item is None or "selected" in item.states:
            _note(name, scene)
            continue
        if _picked(name, scene) and (waiting := scene.wait(1)):
            return waiting
        return _click(name, item, scene)
    return Reached(f"{', '.join(names)}: selected.")


def items(box: Element, scene: Scene) -> list[Element]:
    """The items of a list that are in sight."""
    return [e for e in scene.sight.children(box) if e.role in ROLES["option"] | ROLES["item"] and e.name]


def _click(name: str, item: Element, scene: Scene) -> Move:
    tries = int(scene.memo.get(f"tries {name}", "0"))
    if tries > 2:
        return Reached(f"I clicked “{item.name}”.")  # a list that does not tell what is selected
    held = ("ctrl",) if any(key.startswith("picked ") for key in scene.memo) else ()
    scene.memo[f"tries {name}"] = str(tries + 1)
    _note(name, scene)
    return Act((scene.click(item, modifiers=held),), f"I select “{item.name}”.")


def _note(name: str, scene: Scene) -> None:
    scene.memo[f"picked {name}"] = "yes"
    scene.memo.pop("way", None)


def _picked(name: str, scene: Scene) -> bool:
    return f"picked {name}" in scene.memo


def _item(name: str, items: Sequence[Element]) -> Element | None:
    ranked = sorted(items, key=lambda e: -likeness(name, e.name))
    return ranked[0] if ranked and likeness(name, ranked[0].name) >= 64 else None


def _search_list(name: str, box: Element, scene: Scene) -> Move:
    """Scroll a list to its end, then to its beginning, in search of an item."""
    turned = scene.done(ops.ScrollElement)
    still = bool(turned) and turned[-1].turn == scene.turn - 1 and turned[-1].effect == "unchanged"
    way = scene.memo.setdefault("way", "down")
    if still and way == "up":
        return Question(f"I see no “{name}” in the list. What shall I select instead?")
    if still:
        way = scene.memo["way"] = "up"
    note = "" if turned else f"I look for “{name}” in the list."
    notches = 1 if box.bounds.height < _LOW else _NOTCHES
    return Act(scene.roll(box, -notches if way == "down" else notches), note)
