"""Filling in forms: fields, lists, check boxes, radio buttons, sliders, and sending them."""

from __future__ import annotations

import re

import msgspec

from desktop_agent.llm.offline.dates import keystrokes
from desktop_agent.llm.offline.intents import Check, Choose, Clear, Fill, Phrase, Submit
from desktop_agent.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.llm.offline.phrase import phrase
from desktop_agent.llm.offline.policies.locate import locate, missing, spoken
from desktop_agent.llm.offline.policies.pointing import several
from desktop_agent.llm.offline.policies.typing import default_box, takes_text, verified
from desktop_agent.llm.offline.quoting import Masked
from desktop_agent.llm.offline.resolve import ROLES, likeness, plain, resolve
from desktop_agent.llm.offline.scene import Scene
from desktop_agent.llm.offline.sight import is_editable
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element

_SETTABLE = (
    ROLES["field"] | ROLES["combo"] | ROLES["checkbox"] | ROLES["slider"] | ROLES["spin"] | {"radio button"}
)
_ON = frozenset(("on", "yes", "true", "checked", "ticked", "enabled", "selected", "1"))
_OFF = frozenset(("off", "no", "false", "unchecked", "unticked", "disabled", "deselected", "0"))
_ALL = re.compile(
    r"(?:all|every|each|both)(?: of)?(?: the)?(?: check ?boxes| box(?:es)?| options?| items?)?", re.I
)
_OPTIONS = ROLES["option"] | ROLES["menuitem"] | ROLES["radio"]


def fill(intent: Fill, scene: Scene) -> Move:
    """Make a field show a value, in the way its kind asks for."""
    field = msgspec.structs.replace(
        intent.field, kind="" if intent.field.kind in ("slider", "spin", "combo") else intent.field.kind
    )
    found = locate(scene, field, allow=settable)
    if isinstance(found, Act | Question):
        return _radio_group(intent, scene) or found
    if found.role in ROLES["combo"] and not is_editable(found):
        return _choose_in(found, Phrase(intent.value, spoken=intent.value), scene)
    if found.role in ROLES["checkbox"] | ROLES["radio"] and intent.value.lower() in _ON | _OFF:
        return _switch(found, intent.value.lower() in _ON, scene)
    if found.role in ROLES["slider"]:
        return _slide(found, intent.value, scene)
    if found.role == "date editor":
        return _fill_parts(found, intent.value, scene)
    return _fill_text(found, intent.value, scene)


def settable(element: Element) -> bool:
    return is_editable(element) or element.role in _SETTABLE or element.source == "ocr"


def _radio_group(intent: Fill, scene: Scene) -> Move | None:
    """ "Set the size to large", where size is a group of radio buttons."""
    option = resolve(Phrase(intent.value, "radio", spoken=intent.value), scene.sight)
    if option.element is None or scene.patience < 2:
        return None
    return _switch(option.element, True, scene)


def _fill_text(field: Element, value: str, scene: Scene) -> Move:
    typed = scene.done(ops.Type, lambda op: op.text == value)
    if typed:
        return verified(value, field, scene)
    if field.value.strip() == value.strip() and value:
        return Reached(f"“{field.name}” already says “{value}”.")
    if scene.trouble and len(scene.active_turns) > 1:
        return Question(f"I could not fill in “{field.name}”: {scene.trouble.detail} How shall I go on?")
    note = f"I fill in “{field.name or ' '.join(scene.sight.labels(field)) or 'the field'}”."
    return scene.approach(field, note) or Act(scene.overtype(field, value), note)


def _fill_parts(field: Element, value: str, scene: Scene) -> Move:
    """A date or time field made of parts: click the first part, type the digits of all."""
    parts = [e for e in scene.sight.children(field) if e.role in ROLES["spin"]]
    parts.sort(key=lambda e: e.bounds.x)
    text = keystrokes(value, [each.name for each in parts]) if parts else value
    if text is None:
        return Question(
            f"“{field.name}” asks for {', '.join(each.name for each in parts)}. Which date is “{value}”?"
        )
    if scene.done(ops.Type):
        return Reached(f"“{field.name}” is filled in.")
    note = f"I fill in “{field.name}”."
    return scene.approach(parts[0] if parts else field, note) or Act((ops.Type(text),), note)


def clear(intent: Clear, scene: Scene) -> Move:
    """Empty a field."""
    found = locate(scene, intent.what, allow=takes_text) if intent.what.spoken else default_box(scene)
    if isinstance(found, Act | Question):
        return found
    if scene.done(ops.KeyCombo):
        waiting = scene.wait(1) if found is not None and found.value else None
        return waiting or Reached(
            "It is empty." if found is None or not found.value else "I deleted what I could."
        )
    keys = (ops.KeyCombo(("ctrl", "a")), ops.KeyCombo(("delete",)))
    return Act((*((scene.click(found),) if found is not None else ()), *keys), "I clear it.")


# ---- choosing ------------------------------------------------------------------------------------


def choose(intent: Choose, scene: Scene) -> Move:
    """Choose an option: in the list that was named, or wherever one of that name is."""
    if intent.source:
        kind_free = phrase(intent.source, Masked(intent.source))
        listed = resolve(kind_free, scene.sight, allow=_holds_options)
        if listed.element is not None:
            return _choose_in(listed.element, intent.option, scene)
    shown = _option_shown(intent.option, scene)
    if shown is not None:
        return _pick(shown, scene)
    if intent.source:
        found = locate(scene, phrase(intent.source, Masked(intent.source)), allow=_holds_options)
        return found if isinstance(found, Act | Question) else _choose_in(found, intent.option, scene)
    lists = [each for each in scene.sight.front if each.role in ("combo box", "combobox")]
    holding = [each for each in lists if _has_option(each, intent.option, scene)]
    target = holding or lists
    if len(target) == 1:
        return _choose_in(target[0], intent.option, scene)
    found = locate(scene, intent.option)
    return found if isinstance(found, Act | Question) else _pick(found, scene)


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
        return _switch(element, True, scene)
    if scene.clicks(element.name) or ("selected" in element.states and element.role == "page tab"):
        return Reached(f"“{element.name}” is chosen.")
    return Act((scene.click(element),), f"I choose “{element.name}”.")


def _choose_in(box: Element, option: Phrase, scene: Scene) -> Move:
    """Choose in a list that opens: open it, click the option; else type its name."""
    shows = max(likeness(option.name, box.value, exact=True), likeness(option.name, box.name, exact=True))
    name = option.name or spoken(option)
    clicked = len({d.turn for d in scene.clicks()})
    picked = bool(scene.clicks(name) or scene.done(ops.Type))
    if box.role in ROLES["combo"] and (picked or "expanded" not in box.states):
        unreadable = picked and "expanded" not in box.states and plain(box.value) in ("", plain(box.name))
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
    waiting = scene.wait(2)
    if waiting:
        return waiting
    enter = (ops.KeyCombo(("enter",)),) if "expanded" in box.states else ()
    return Act((ops.Type(name), *enter), f"I type “{name}” to choose it.")


def _option_in(box: Element, option: Phrase, scene: Scene) -> Element | None:
    named = Phrase(option.name, "", option.ordinal, quoted=option.quoted, spoken=option.name)
    found = resolve(
        named, scene.sight, allow=lambda e: e.role in _OPTIONS and e.id != box.id and _reachable(e)
    )
    if found.ambiguous:
        own = [each for each in found.candidates if scene.sight.is_within(each, box.name)]
        return (own or list(found.candidates))[0]
    return found.element


def _reachable(element: Element) -> bool:
    return "showing" in element.states or not element.states or element.source == "ocr"


def _not_chosen(box: Element, name: str) -> Move:
    return Question(
        f"I tried to choose “{name}”, but “{box.name}” shows “{box.value}”. What shall I choose instead?"
    )


# ---- switching -----------------------------------------------------------------------------------


def check(intent: Check, scene: Scene) -> Move:
    """Switch boxes on or off until they are seen to be so."""
    if _ALL.fullmatch(intent.what.spoken):
        return _check_all(intent, scene)
    for what in several(intent.what, scene) or (intent.what,):
        found = _box_of(what, scene)
        if isinstance(found, Act | Question):
            return found
        wanted = intent.on if intent.on is not None else not _was_checked(found, scene)
        move = _switch(found, wanted, scene)
        if not isinstance(move, Reached):
            return move
    return Reached(f"“{spoken(intent.what)}” is {'off' if intent.on is False else 'on'}.")


def _check_all(intent: Check, scene: Scene) -> Move:
    boxes = [e for e in scene.sight.reading_order(scene.sight.front) if e.role in ROLES["checkbox"]]
    if not boxes:
        return scene.wait(3) or missing(scene, intent.what)
    wrong = [e for e in boxes if is_on(e) != (intent.on is not False)]
    if not wrong:
        return Reached(f"All {len(boxes)} boxes are {'off' if intent.on is False else 'on'}.")
    return _switch(wrong[0], intent.on is not False, scene)


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


def _switch(element: Element, on: bool, scene: Scene) -> Move:
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


def _slide(slider: Element, value: str, scene: Scene) -> Move:
    """Move a slider by arrow keys until it shows the value."""
    wanted, shown = _number(value), _number(slider.value)
    if wanted is None:
        return Question(f"“{slider.name}” is a slider: which number shall it show?")
    if shown is None:
        return Question(f"I cannot see what the slider “{slider.name}” shows. How shall I go on?")
    steps = round(wanted - shown)
    if abs(wanted - shown) < 0.5:
        return Reached(f"“{slider.name}” shows {slider.value}.")
    if len(scene.active_turns) > 12:
        return Question(f"The slider “{slider.name}” stays at {slider.value}. How shall I go on?")
    key = ops.KeyCombo(("right",) if steps > 0 else ("left",))
    focus = () if "focused" in slider.states else (ops.FocusElement(slider.id),)
    return Act((*focus, *(key,) * min(abs(steps), 10)), f"I move the slider “{slider.name}” to {value}.")


def _number(text: str) -> float | None:
    found = re.search(r"-?\d+(?:[.,]\d+)?", text)
    return float(found[0].replace(",", ".")) if found else None


def submit(_intent: Submit, scene: Scene) -> Move:
    """Press the button that sends the form; Enter when there is none."""
    if scene.clicks() or scene.done(ops.KeyCombo):
        last = [d for d in scene.deeds if d.outcome == "done"][-1]
        return (scene.wait(2) if last.effect == "unchanged" else None) or Reached("The form is sent.")
    button = _send_button(scene)
    if button is not None:
        return Act((scene.click(button),), f"I press “{button.name}”.")
    if scene.sight.focused is not None and is_editable(scene.sight.focused):
        return Act((ops.KeyCombo(("enter",)),), "I see no button to send it, so I press Enter.")
    return scene.wait(3) or missing(scene, Phrase("Submit", "button", spoken="a button to send the form"))


def _send_button(scene: Scene) -> Element | None:
    """The button in front whose name says that it sends; the nearest below the focus if several do."""
    names = (
        "submit",
        "send",
        "log in",
        "sign in",
        "sign up",
        "register",
        "save",
        "ok",
        "apply",
        "continue",
        "done",
        "go",
        "confirm",
    )
    buttons = [e for e in scene.sight.front if e.role in ROLES["button"] and e.name]
    for name in names:
        for each in buttons:
            if likeness(name, each.name) >= 70:
                return each
    return None
