"""Filling in forms: fields, lists, check boxes, radio buttons, sliders, and sending them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from desktop_agent.extras.offline.llm.offline import colours, dates
from desktop_agent.extras.offline.llm.offline.boxes import is_editable
from desktop_agent.extras.offline.llm.offline.intents import Clear, Fill, FillApart, Intent, Phrase, Submit
from desktop_agent.extras.offline.llm.offline.likeness import likeness
from desktop_agent.extras.offline.llm.offline.moves import Act, Instead, Move, Question, Reached
from desktop_agent.extras.offline.llm.offline.places import reading_order
from desktop_agent.extras.offline.llm.offline.policies import dating, sliding, widgets
from desktop_agent.extras.offline.llm.offline.policies.choosing import choose_in
from desktop_agent.extras.offline.llm.offline.policies.clearing_way import clear_way
from desktop_agent.extras.offline.llm.offline.policies.completing import suggestion
from desktop_agent.extras.offline.llm.offline.policies.locate import empty_spot, locate, missing
from desktop_agent.extras.offline.llm.offline.policies.sending import send_button
from desktop_agent.extras.offline.llm.offline.policies.switching import switch
from desktop_agent.extras.offline.llm.offline.policies.typing import default_box, takes_text, verified
from desktop_agent.extras.offline.llm.offline.resolve import resolve
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.scene import Scene
from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element

_SETTABLE = (
    ROLES["field"] | ROLES["combo"] | ROLES["checkbox"] | ROLES["slider"] | ROLES["spin"] | {"radio button"}
)
_MOST_TYPED = 2
_ON = frozenset(("on", "yes", "true", "checked", "ticked", "enabled", "selected", "1"))
_OFF = frozenset(("off", "no", "false", "unchecked", "unticked", "disabled", "deselected", "0"))


def fill(intent: Fill, scene: Scene) -> Move:
    """Make a field show a value, in the way its kind asks for."""
    if widgets.several(intent.field.spoken):
        return _fill_each(intent, scene)
    found = _drawn(intent, scene) or _dated(intent, scene)
    if found is not None:
        return found
    field = msgspec.structs.replace(
        intent.field, kind="" if intent.field.kind in ("slider", "spin", "combo") else intent.field.kind
    )
    if (item := _item_shown(intent, scene)) is not None:
        return item
    by_label = field.kind == "field" and asks_picture(scene)
    box = locate(scene, field, allow=_is_box if by_label else settable)
    if not isinstance(box, Element) and (leaving := _leave(intent, scene)) is not None:
        return leaving
    if isinstance(box, Element) and is_editable(box) and box.source == "ocr":
        scene.memo["place"] = "known"
    if isinstance(box, Act | Question):
        return _radio_group(intent, scene) or _only(intent, scene) or box
    return _offered(box, intent, scene) or _fill(box, intent.value, scene)


def asks_picture(scene: Scene) -> bool:
    """Is all that is known of the screen read from its picture?"""
    return bool(scene.look.elements) and all(each.source == "ocr" for each in scene.look.elements)


def _is_box(element: Element) -> bool:
    return is_editable(element) or element.role in _SETTABLE


def _item_shown(intent: Fill, scene: Scene) -> Act | None:
    """Click the value in a list that a click has opened from what was taken for a box to write in."""
    if (
        not asks_picture(scene)
        or not scene.clicks()
        or scene.done(ops.Type)
        or "item" in scene.memo
        or "place" not in scene.memo
    ):
        return None
    items = [
        e
        for e in scene.sight.front
        if e.role == "list item" and likeness(intent.value, e.name, exact=True) >= 95
    ]
    if len(items) != 1:
        return None
    scene.memo["item"] = items[0].name
    return Act((scene.click(items[0]),), f"I choose “{items[0].name}”.")


def _leave(intent: Fill, scene: Scene) -> Act | None:
    """Click beside a box that is not seen as one any more since it was typed into: its border may be drawn anew with the focus.

    Where it was clicked once more since, because it showed something else, it is typed into again.
    """
    typed = len(scene.done(ops.Type))
    if "place" not in scene.memo or not asks_picture(scene) or typed > _MOST_TYPED:
        return None
    if not typed:  # it was just clicked
        return Act((ops.KeyCombo(("ctrl", "a")), ops.Type(intent.value))) if scene.clicks() else None
    left = scene.memo.get("left", "")
    if left == "yes" or (left == "back" and typed == _MOST_TYPED):
        return None
    if left == "back":
        scene.memo["left"] = ""
        return Act((ops.KeyCombo(("ctrl", "a")), ops.Type(intent.value)))
    beside = empty_spot(scene)
    if beside is None:
        return None
    scene.memo["left"] = "yes"
    return Act((ops.Click(beside.x, beside.y),))


def fill_apart(intent: FillApart, scene: Scene) -> Move:
    """Make a field show a value where both were said side by side: the longest name that is in sight is the field's."""
    pieces = intent.text.split()
    for at in range(len(pieces) - 1, 0, -1):
        name = " ".join(pieces[:at]).rstrip(":").strip("\"'“”„")
        field = Phrase(name, quoted=True, spoken=name)
        if resolve(field, scene.sight, allow=settable).element is not None:
            return Instead((Fill(field, " ".join(pieces[at:]).strip("\"'“”„")),))
    return scene.wait(4) or missing(scene, Phrase(intent.text, spoken=intent.text))


def _offered(box: Element, intent: Fill, scene: Scene) -> Move | None:
    """Choose what the box offers for the typed text, when it does."""
    if not scene.done(ops.Type) or "offered" in scene.memo or not is_editable(box):
        return None
    found = suggestion(intent.value, box, scene)
    if found is None:
        return None
    scene.memo["offered"] = found.name
    return Act((scene.click(found),), f"I choose “{found.name}”.")


def _fill(box: Element, value: str, scene: Scene) -> Move:
    if box.role in ROLES["combo"] and not is_editable(box):
        return choose_in(box, Phrase(value, spoken=value), scene)
    if box.role in ROLES["checkbox"] | ROLES["radio"] and value.lower() in _ON | _OFF:
        return switch(box, value.lower() in _ON, scene)
    if box.role in ROLES["slider"]:
        return sliding.slide(box, value, scene)
    if (
        box.role in ROLES["spin"]
        and widgets.number(value) is not None
        and widgets.number(box.value) is not None
    ):
        return sliding.spin(box, value, scene)
    if box.role == "date editor":
        parts = [e for e in scene.sight.children(box) if e.role in ROLES["spin"]]
        return dating.fill_parts(sorted(parts, key=lambda e: e.bounds.x), value, scene)
    day = dating.fill_day(box, value, scene) if dating.is_date_box(box) else None
    return day or _fill_colour(box, value, scene) or _fill_text(box, value, scene)


def _fill_colour(box: Element, value: str, scene: Scene) -> Move | None:
    """Write a colour as the box does; then a click beside it closes the picture to pick from."""
    written = scene.memo.get("colour") or colours.as_shown(value, box.value)
    if written == value:
        return None
    scene.memo["colour"] = written
    typed = scene.done(ops.Type)
    beside = empty_spot(scene)
    if typed and beside is not None and not scene.clicked_at(typed[-1].turn + 1):
        return Act((ops.Click(beside.x, beside.y),))
    return _fill_text(box, written, scene)


def settable(element: Element) -> bool:
    return is_editable(element) or element.role in _SETTABLE or element.source == "ocr"


def _drawn(intent: Fill, scene: Scene) -> Move | None:
    """A slider or spinner that is called by its kind; a page may have drawn it, nameless."""
    kind = intent.field.kind
    if kind not in ("slider", "spin"):
        return None
    found = widgets.one_of(
        (widgets.sliders if kind == "slider" else widgets.spinners)(scene), intent.field, scene
    )
    if not isinstance(found, Element):
        return None
    move = sliding.slide if kind == "slider" else sliding.spin
    return move(found, intent.value, scene)


def _dated(intent: Fill, scene: Scene) -> Move | None:
    """A date or time, where fields of parts or a calendar ask for one."""
    if not (dates.parts_of(intent.value) or dates.day_of(intent.value)):
        return None
    if not dating.day_clicked(scene):
        parts = dating.parts(scene, intent.field)
        if parts:
            return dating.fill_parts(parts, intent.value, scene)
    field = msgspec.structs.replace(intent.field, kind="")
    box = resolve(field, scene.sight, allow=settable).element or _calendar_box(scene)
    if box is not None and dating.is_date_box(box):
        return dating.fill_day(box, intent.value, scene)
    return dating.in_calendar(intent.value, scene) if box is None else None


def _calendar_box(scene: Scene) -> Element | None:
    """The only box on the page that shows text but takes none: a calendar opens from it."""
    page = scene.sight.document
    shut = [
        e
        for e in scene.sight.front
        if e.role == "entry" and not is_editable(e) and page is not None and scene.sight.is_inside(e, page)
    ]
    return shut[0] if len(shut) == 1 else None


def _only(intent: Fill, scene: Scene) -> Move | None:
    """The one box on the page, when nothing says that it is for something else."""
    if intent.field.ordinal or intent.field.near or scene.patience < 2:
        return None
    boxes = _boxes(scene)
    nameless = len(boxes) == 1 and not (boxes[0].name or scene.sight.labels(boxes[0]))
    return _fill(boxes[0], intent.value, scene) if nameless else None


def _boxes(scene: Scene) -> list[Element]:
    """The boxes on the page (or in the window) that take text, in reading order."""
    page = scene.sight.document
    boxes = [e for e in scene.sight.editable if page is None or e == page or scene.sight.is_inside(e, page)]
    return reading_order(e for e in boxes if min(e.bounds.width, e.bounds.height) > 2)


def _fill_each(intent: Fill, scene: Scene) -> Move:
    """One filling for each of a kind: the same value for all, or a value each."""
    kind = intent.field.kind if intent.field.kind in ("slider", "spin") else "field"
    count = len({"slider": widgets.sliders, "spin": widgets.spinners, "field": _boxes}[kind](scene))
    if not count:
        return scene.wait(4) or missing(scene, intent.field)
    values = _values(intent.value, count, listed=kind != "field")
    if values is None:
        return Question(
            f"I see {count} of them, but “{intent.value}” is not {count} values. What goes where?"
        )
    return Instead(tuple(_nth(kind, n, value) for n, value in enumerate(values, 1)))


def _values(said: str, count: int, *, listed: bool) -> Sequence[str] | None:
    numbers = re.findall(r"-?\d+(?:\.\d+)?", said) if listed else []
    if len(numbers) > 1:
        return numbers if len(numbers) == count else None
    return [said] * count


def _nth(kind: str, nth: int, value: str) -> Intent:
    return Fill(Phrase("", kind, nth, spoken=f"{kind} {nth}"), value)


def _radio_group(intent: Fill, scene: Scene) -> Move | None:
    """ "Set the size to large", where size is a group of radio buttons."""
    option = resolve(Phrase(intent.value, "radio", spoken=intent.value), scene.sight)
    if option.element is None or scene.patience < 2:
        return None
    return switch(option.element, True, scene)


def _fill_text(field: Element, value: str, scene: Scene) -> Move:
    typed = scene.done(ops.Type, lambda op: op.text == value)
    if typed:
        return clear_way(field, scene) or verified(value, field, scene)
    if field.value.strip() == value.strip() and value:
        return Reached(f"“{field.name}” already says “{value}”.")
    if scene.trouble and len(scene.active_turns) > 1:
        return Question(f"I could not fill in “{field.name}”: {scene.trouble.detail} How shall I go on?")
    note = f"I fill in “{field.name or ' '.join(scene.sight.labels(field)) or 'the field'}”."
    return clear_way(field, scene) or scene.approach(field, note) or Act(scene.overtype(field, value), note)


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
