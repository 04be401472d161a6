"""Choosing an option: from a list that opens, a group of radio buttons, tabs, a menu."""

from __future__ import annotations

import re

import msgspec

from desktop_agent.extras.offline.llm.offline.boxes import is_editable
from desktop_agent.extras.offline.llm.offline.intents import Choose, Fill, Phrase
from desktop_agent.extras.offline.llm.offline.likeness import likeness, plain
from desktop_agent.extras.offline.llm.offline.moves import Act, Instead, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.phrase import phrase
from desktop_agent.extras.offline.llm.offline.policies import picking, ticking
from desktop_agent.extras.offline.llm.offline.policies.locate import locate, spoken
from desktop_agent.extras.offline.llm.offline.policies.switching import switch
from desktop_agent.extras.offline.llm.offline.policies.unfolding import at_edge, unfold
from desktop_agent.extras.offline.llm.offline.quoting import Masked
from desktop_agent.extras.offline.llm.offline.resolve import resolve
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element

_MOST_ROLLS, _ROLL = 24, 2
_LISTED = frozenset(("list item", "option", "menu item", "tree item", "radio button"))
_OPTIONS = ROLES["option"] | ROLES["menuitem"] | ROLES["radio"]


def choose(intent: Choose, scene: Scene) -> Move:
    """Choose an option (or several): in the list that was named, or wherever one of that name is."""
    several = _several(intent, scene) or _either(intent, scene) or _as_what(intent, scene)
    if several is not None:
        return several
    if intent.source:
        kind_free = phrase(intent.source, Masked(intent.source))
        listed = resolve(kind_free, scene.sight, allow=_holds_options)
        if listed.element is None and (one := _one_of(intent.source)):
            listed = resolve(phrase(one, Masked(one)), scene.sight, allow=_holds_options)
        if listed.element is not None:
            return choose_in(listed.element, intent.option, scene)
        typed_in = _typed_in(intent, scene)
        if typed_in is not None:
            return typed_in
        whole = f"{spoken(intent.option)} from {intent.source}"
        named = resolve(phrase(whole, Masked(whole)), scene.sight, allow=scene.sight.in_front)
        if named.element is not None:
            return _pick(named.element, scene)
    shown = _option_shown(intent.option, scene)
    if shown is not None:
        return _pick(shown, scene)
    if "picked" in scene.memo:
        return Reached(f"“{scene.memo['picked']}” is chosen.")
    scrolled = _in_scrolled_list(intent, scene)
    if scrolled is not None:
        return scrolled
    if intent.source:
        found = locate(scene, phrase(intent.source, Masked(intent.source)), allow=_holds_options)
        return found if isinstance(found, Act | Question) else choose_in(found, intent.option, scene)
    named_first = _named_first(intent, scene)
    if named_first is not None:
        return named_first
    lists = [e for e in scene.sight.on_page(scene.sight.front) if e.role in ("combo box", "combobox")]
    holding = [each for each in lists if _has_option(each, intent.option, scene)]
    target = holding or lists
    if len(target) == 1:
        return choose_in(target[0], intent.option, scene)
    unfolding_it = unfold(scene)
    if unfolding_it is not None:
        return unfolding_it
    found = locate(scene, intent.option, allow=lambda e: not is_editable(e))
    return found if isinstance(found, Act | Question) else _pick(found, scene)


def _one_of(source: str) -> str:
    """What a list is called after what it lists: “list of countries” may be labelled Country. "" for other names."""
    found = re.fullmatch(
        r"(?:list|menu|drop-?down|selection|choice) of (?:the |all |possible )*(.+)s", source, re.I
    )
    return re.sub(r"ie$", "y", found[1]) if found else ""


def _several(intent: Choose, scene: Scene) -> Move | None:
    """ "A, B and C": boxes to tick, items of one list, or one choice after the other."""
    option = intent.option
    but = ticking.all_but(option.spoken)
    if but is not None and ticking.boxes(scene):
        return ticking.tick_all(True, picking.names_in(but), scene)
    names = picking.names_in(option.name or option.spoken)
    if len(names) < 2 or option.quoted or resolve(_whole(option), scene.sight).element is not None:
        return None
    if ticking.are_boxes(names, scene):
        return ticking.tick(names, True, scene)
    box = picking.box_named(intent.source, scene)
    if box is not None:
        return picking.pick_in_list(names, box, scene)
    if any(_option_shown(Phrase(name, spoken=name), scene) for name in names):
        return Instead(tuple(Choose(Phrase(name, spoken=name), intent.source) for name in names))
    return None


def _whole(option: Phrase) -> Phrase:
    return Phrase(option.name or option.spoken, quoted=True, spoken=option.name or option.spoken)


def _either(intent: Choose, scene: Scene) -> Move | None:
    """ "A or B": the first of them that there is."""
    said = intent.option.name or intent.option.spoken
    if intent.option.quoted or not re.search(r"\sor\s", said) or _option_shown(_whole(intent.option), scene):
        return None
    names = picking.names_in(re.sub(r"^either\s+|,?\s+or\s+", ", ", said).strip(", "))
    there = [name for name in names if _option_shown(Phrase(name, spoken=name), scene)]
    return Instead((Choose(Phrase(there[0], spoken=there[0]), intent.source),)) if there else None


def _as_what(intent: Choose, scene: Scene) -> Move | None:
    """ "Norway as the country": where nothing is called all of that, Norway in what is called Country."""
    name, linked, source = intent.option.name.partition(" as ")
    if intent.option.quoted or intent.source or not linked:
        return None
    if resolve(_whole(intent.option), scene.sight).element is not None:
        return None
    return Instead((Choose(Phrase(name, spoken=name), source),))


def _typed_in(intent: Choose, scene: Scene) -> Instead | None:
    """A value that is chosen where it has to be typed or set: “2 from Quantity”, where Quantity is a box."""
    field = msgspec.structs.replace(
        phrase(intent.source, Masked(intent.source)), kind="", quoted=True, name=intent.source
    )
    box = resolve(field, scene.sight, allow=lambda e: is_editable(e) or e.role in ROLES["slider"])
    return Instead((Fill(field, intent.option.name or intent.option.spoken),)) if box.element else None


def _named_first(intent: Choose, scene: Scene) -> Instead | None:
    """“The theme Dark”: what is chosen comes behind the name of what it is chosen for."""
    pieces = intent.option.spoken.split()
    if intent.option.quoted or resolve(intent.option, scene.sight).element is not None:
        return None
    for at in range(1, len(pieces)):
        name, option = " ".join(pieces[:at]), " ".join(pieces[at:])
        box = resolve(_exactly(name), scene.sight, allow=lambda e: e.role in ROLES["combo"])
        if box.element is not None:
            return Instead((Choose(_exactly(option), name),))
        if scene.sight.says(name) and _option_shown(_exactly(option), scene) is not None:
            return Instead((Choose(_exactly(option)),))
    return None


def _exactly(name: str) -> Phrase:
    return Phrase(name, quoted=True, spoken=name)


def _in_scrolled_list(intent: Choose, scene: Scene) -> Move | None:
    """An item that must be scrolled to in the list that was named, or the only one with items in sight."""
    box = picking.box_named(intent.source, scene)
    if box is None or box.role not in picking.LISTS or not picking.items(box, scene):
        return None
    return picking.pick_in_list((intent.option.name or spoken(intent.option),), box, scene)


def _holds_options(element: Element) -> bool:
    return element.role in ROLES["combo"] | ROLES["menu"] | {
        "list",
        "tree",
        "table",
        "page tab list",
        "menu bar",
    } or (element.source == "ocr")


def _has_option(box: Element, option: Phrase, scene: Scene) -> bool:
    names = [each.name for each in scene.sight.children(box)]
    return any(likeness(option.name, name) >= 70 for name in names) or likeness(option.name, box.value) >= 95


def _option_shown(option: Phrase, scene: Scene) -> Element | None:
    found = resolve(option, scene.sight, allow=lambda e: e.role in _OPTIONS and scene.sight.in_front(e))
    return found.element


def _pick(element: Element, scene: Scene) -> Move:
    """Click an option; one that can be checked is seen to be."""
    if element.role in ROLES["radio"] | {"check box"}:
        return switch(element, True, scene)
    if scene.clicks(element.name) or ("selected" in element.states and element.role == "page tab"):
        return Reached(f"“{element.name}” is chosen.")
    scene.memo["picked"] = element.name
    return Act((at_edge(element, scene) or scene.click(element),), f"I choose “{element.name}”.")


def choose_in(box: Element, option: Phrase, scene: Scene) -> Move:
    """Choose in a list that opens: open it, click the option; else type its name."""
    shows = max(likeness(option.name, box.value, exact=True), likeness(option.name, box.name, exact=True))
    name = option.name or spoken(option)
    clicked = len({d.turn for d in scene.clicks()})
    picked = bool(scene.clicks(name) or scene.done(ops.Type))
    seen_only = box.source == "ocr" and bool(box.value)
    if (box.role in ROLES["combo"] or seen_only) and (picked or "expanded" not in box.states):
        told = box.source == "tree"  # what is only seen has to be read
        unreadable = (
            told and picked and "expanded" not in box.states and plain(box.value) in ("", plain(box.name))
        )
        if shows >= 84 or unreadable:
            return Reached(f"“{box.name or name}” shows “{name}”.")
    if scene.done(ops.Type):
        return scene.wait(2) or _not_chosen(box, name)
    option_seen = _option_in(box, option, scene)
    if option_seen is not None and (clicked or box.role not in ROLES["combo"]) and clicked < 3:
        return Act((scene.click(option_seen),), f"I choose “{option_seen.name}”.")
    if not clicked:
        return Act((scene.click(box),), f"I open the list “{box.name}”.")
    if clicked >= 2 and box.role not in ROLES["combo"]:
        return Reached(f"“{name}” is chosen.")
    rolled = _rolled(box, scene) if "expanded" in box.states else None
    if rolled is not None:
        return rolled
    waiting = scene.wait(2)
    if waiting:
        return waiting
    opened = "expanded" in box.states or (box.source == "ocr" and clicked == 1)
    enter = (ops.KeyCombo(("enter",)),) if opened else ()
    return Act((ops.Type(name), *enter), f"I type “{name}” to choose it.")


def _rolled(box: Element, scene: Scene) -> Act | None:
    """Turn the wheel over a list that has opened, down to its end and back; None when all of it was seen."""
    entries = _entries(box, scene)
    names, turned = "\n".join(e.name for e in entries), scene.done(ops.ScrollElement)
    if len(entries) < 2 or not scene.can("scroll_element") or len(turned) >= _MOST_ROLLS:
        return None
    if turned and scene.memo.get("rolled") == names and scene.memo.get("rolls") == "up":
        return None
    if turned and scene.memo.get("rolled") == names:
        scene.memo["rolls"] = "up"
    scene.memo["rolled"] = names
    return Act(scene.roll(entries[len(entries) // 2], _ROLL if scene.memo.get("rolls") == "up" else -_ROLL))


def _entries(box: Element, scene: Scene) -> list[Element]:
    """The entries of the list that has opened from a box."""
    if "expanded" not in box.states:
        return []
    return [
        e
        for e in scene.sight.front
        if e.role in ("list item", "option", "menu item")
        and min(e.bounds.right, box.bounds.right) - max(e.bounds.x, box.bounds.x) > box.bounds.width // 2
        and not any(each.role == "list" and each.bounds.contains(e.bounds.center) for each in scene.sight.front)
    ]  # fmt: skip


def _option_in(box: Element, option: Phrase, scene: Scene) -> Element | None:
    named = Phrase(option.name, "", option.ordinal, quoted=option.quoted, spoken=option.name)
    entries = {each.id for each in _entries(box, scene)}
    if len(entries) > 1:
        return resolve(named, scene.sight, allow=lambda e: e.id in entries).element
    listed = resolve(
        named, scene.sight, allow=lambda e: e.role in _LISTED and e.id != box.id and _reachable(e)
    )
    found = listed if listed.element is not None or listed.ambiguous else resolve(
        named, scene.sight, allow=lambda e: e.role in _OPTIONS and e.id != box.id and _reachable(e)
    )  # fmt: skip
    if found.element is None and not found.ambiguous and box.source == "ocr":
        exact = Phrase(option.name, "", quoted=True, spoken=option.name)
        found = resolve(exact, scene.sight, allow=lambda e: _stands_at(e, box))
    if found.ambiguous:
        own = [each for each in found.candidates if scene.sight.is_within(each, box.name)]
        return min(own or found.candidates, key=lambda each: _apart(box, each))
    return found.element


def _stands_at(text: Element, box: Element) -> bool:
    """Is it a text below or above a box, as in a list that has opened from it? A picture tells of no items."""
    common = min(text.bounds.right, box.bounds.right) - max(text.bounds.x, box.bounds.x)
    aside = box.bounds.contains(text.bounds.center)
    return text.role in ("static", "link") and not aside and common > 0.8 * text.bounds.width


def _apart(box: Element, option: Element) -> int:
    """How far an option is from the box it may be of, along both sides together."""
    across, down = option.bounds.center.x - box.bounds.center.x, option.bounds.center.y - box.bounds.center.y
    return abs(across) + abs(down)


def _reachable(element: Element) -> bool:
    return "showing" in element.states or not element.states or element.source == "ocr"


def _not_chosen(box: Element, name: str) -> Move:
    return Question(
        f"I tried to choose “{name}”, but “{box.name}” shows “{box.value}”. What shall I choose instead?"
    )
