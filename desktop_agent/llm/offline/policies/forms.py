"""Filling in forms: fields, lists, check boxes, radio buttons, sliders, and sending them."""

from __future__ import annotations

import re

import msgspec

from desktop_agent.llm.offline.dates import keystrokes
from desktop_agent.llm.offline.intents import Clear, Fill, Phrase, Submit
from desktop_agent.llm.offline.moves import Act, Move, Question, Reached
from desktop_agent.llm.offline.policies.choosing import choose_in
from desktop_agent.llm.offline.policies.locate import locate, missing
from desktop_agent.llm.offline.policies.switching import switch
from desktop_agent.llm.offline.policies.typing import default_box, takes_text, verified
from desktop_agent.llm.offline.resolve import ROLES, likeness, resolve
from desktop_agent.llm.offline.scene import Scene
from desktop_agent.llm.offline.sight import is_editable
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element

_SETTABLE = (
    ROLES["field"] | ROLES["combo"] | ROLES["checkbox"] | ROLES["slider"] | ROLES["spin"] | {"radio button"}
)
_ON = frozenset(("on", "yes", "true", "checked", "ticked", "enabled", "selected", "1"))
_OFF = frozenset(("off", "no", "false", "unchecked", "unticked", "disabled", "deselected", "0"))


def fill(intent: Fill, scene: Scene) -> Move:
    """Make a field show a value, in the way its kind asks for."""
    field = msgspec.structs.replace(
        intent.field, kind="" if intent.field.kind in ("slider", "spin", "combo") else intent.field.kind
    )
    found = locate(scene, field, allow=settable)
    if isinstance(found, Act | Question):
        return _radio_group(intent, scene) or found
    if found.role in ROLES["combo"] and not is_editable(found):
        return choose_in(found, Phrase(intent.value, spoken=intent.value), scene)
    if found.role in ROLES["checkbox"] | ROLES["radio"] and intent.value.lower() in _ON | _OFF:
        return switch(found, intent.value.lower() in _ON, scene)
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
    return switch(option.element, True, scene)


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


def submit(_intent: Submit, scene: Scene) -> Move:
    """Press the button that sends the form; Enter when there is none."""
    if scene.clicks() or scene.done(ops.KeyCombo):
        last = [d for d in scene.deeds if d.outcome == "done"][-1]
        return (scene.wait(2) if last.effect == "unchanged" else None) or Reached("The form is sent.")
    button = send_button(scene)
    if button is not None:
        return Act((scene.click(button),), f"I press “{button.name}”.")
    if scene.sight.focused is not None and is_editable(scene.sight.focused):
        return Act((ops.KeyCombo(("enter",)),), "I see no button to send it, so I press Enter.")
    return scene.wait(3) or missing(scene, Phrase("Submit", "button", spoken="a button to send the form"))


def send_button(scene: Scene) -> Element | None:
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
