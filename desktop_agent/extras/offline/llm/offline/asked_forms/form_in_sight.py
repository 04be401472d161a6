"""The form that is in sight: its fields with labels and choices, its buttons, and the words around them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

import msgspec

from desktop_agent.extras.offline.llm.offline.asked_forms.form_vocabulary import misread
from desktop_agent.extras.offline.llm.offline.boxes import is_editable
from desktop_agent.extras.offline.llm.offline.places import reading_order
from desktop_agent.extras.offline.llm.offline.roles import ROLES
from desktop_agent.extras.offline.llm.offline.sight import Sight
from desktop_agent.extras.offline.llm.offline.states import is_on
from desktop_agent.vision.observation import Element

FieldKind: TypeAlias = Literal["text", "area", "list", "radio", "box", "secret"]
_LISTED = frozenset(("list item", "option", "menu item"))
_TEXTS = ROLES["label"] | {"static text", "section", "caption", "legend"}


class FormField(msgspec.Struct, frozen=True):
    """A field of a form. `choices` are what can be chosen of a list or group, as far as that was seen.

    `value` is what a box shows (or its hint), `on` whether a check box is ticked, `group` the words in its line.
    """

    label: str
    kind: FieldKind
    choices: tuple[str, ...] = ()
    value: str = ""
    on: bool = False
    group: str = ""
    required: bool = False
    box: str = ""

    @property
    def key(self) -> tuple[str, str, tuple[str, ...]]:
        """What tells it from the others, from look to look."""
        return self.kind, self.label, self.choices if self.kind == "radio" else ()


class FormInSight(msgspec.Struct, frozen=True):
    """The fields in reading order, the names of the buttons, and all other words of the page."""

    fields: tuple[FormField, ...] = ()
    buttons: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()


def form_in_sight(sight: Sight) -> FormInSight:
    """The form on the page or in the window in front; one without fields where there is none."""
    here = reading_order(sight.on_page(sight.front))
    radios = [e for e in here if e.role in ROLES["radio"]]
    fields: list[tuple[Element, FormField]] = []
    for each in here:
        if each.role in ROLES["radio"] - {"radio menu item"}:
            continue
        found = _field(each, here, sight)
        if found is not None and found.label:
            fields.append((each, found))
    for group in _groups(radios, here):
        fields.append((group[0], _radio_field(group, here)))
    fields.sort(key=lambda each: here.index(each[0]))
    buttons = tuple(e.name for e in here if e.role in ROLES["button"] and e.name)
    texts = tuple(e.name for e in here if e.role in _TEXTS and e.name)
    return FormInSight(tuple(_clean(field) for _, field in fields), buttons, texts)


def together(one: FormInSight, other: FormInSight) -> FormInSight:
    """Two views of one form as one: what was seen first, and what else is there; choices that were seen stay."""
    known = {field.key: field for field in one.fields}
    for field in other.fields:
        before = known.get(field.key)
        if before is None and any(_reads_as(each, field) for each in known.values()):
            continue  # the same, read a little otherwise
        if before is None or len(field.choices) > len(before.choices):
            known[field.key] = field
    buttons = dict.fromkeys((*one.buttons, *other.buttons))
    return FormInSight(
        tuple(known.values()), tuple(buttons), tuple(dict.fromkeys((*one.texts, *other.texts)))
    )


def _reads_as(one: FormField, other: FormField) -> bool:
    """May two fields of two pictures be one, whose label was read in two ways?"""
    if (
        one.kind != other.kind
        or one.group != other.group
        or (one.kind == "radio" and len(one.choices) != len(other.choices))
    ):
        return False
    labels = one.label.lower().split(), other.label.lower().split()
    shorter = min(map(len, labels))
    if not shorter or (len(labels[0]) != len(labels[1]) and one.kind != "box"):
        return False
    return all(a == b or misread(a, b) for a, b in zip(labels[0][:shorter], labels[1][:shorter], strict=True))


def _clean(field: FormField) -> FormField:
    required = bool(re.search(r"\*|\((?:required|pflichtfeld|erforderlich)\)", field.label, re.I))
    return msgspec.structs.replace(field, required=required)


def bare_label(label: str) -> str:
    """A label without colon, star and what stands in parentheses."""
    return re.sub(r"\s*\([^)]*\)|[\s:*]+$", "", label).strip(" :*")


def _field(each: Element, here: Sequence[Element], sight: Sight) -> FormField | None:
    label = each.name or next(iter(sight.labels(each)), "")
    if each.role in ROLES["checkbox"] - {"check menu item"} and each.role != "toggle button":
        return FormField(label, "box", on=is_on(each), group=_beside(each, here), box=each.id)
    if each.role in ("combo box", "combobox") and not is_editable(each):
        items = [e.name for e in sight.children(each) if e.role in _LISTED and e.name]
        return FormField(label, "list", tuple(dict.fromkeys(items)), each.value, box=each.id)
    if each.role == "password text" or "password" in each.states:
        return FormField(label, "secret", box=each.id)
    if is_editable(each):
        kind: FieldKind = "area" if "multiline" in each.states else "text"
        return FormField(label, kind, value=each.value, box=each.id)
    return None


def _groups(radios: Sequence[Element], here: Sequence[Element]) -> list[list[Element]]:
    """Radio buttons that belong together: in one row, or one below the other with nothing but them between."""
    groups: list[list[Element]] = []
    for each in radios:
        last = groups[-1][-1] if groups else None
        if last is not None and (_in_row(last, each) or _follows(groups[-1], each, here)):
            groups[-1].append(each)
        else:
            groups.append([each])
    return groups


def _in_row(one: Element, other: Element) -> bool:
    return one.bounds.y < other.bounds.center.y < one.bounds.bottom


def _follows(group: Sequence[Element], each: Element, here: Sequence[Element]) -> bool:
    last, first = group[-1], group[0]
    if abs(first.bounds.x - each.bounds.x) > 12 or each.bounds.y - last.bounds.bottom > 60:
        return False
    between = [
        e
        for e in here
        if e.id not in (last.id, each.id)
        and last.bounds.bottom <= e.bounds.center.y <= each.bounds.y
        and e.bounds.height < 60
        and e.role not in ("section", "panel", "list item")
    ]
    return not between


def _radio_field(group: Sequence[Element], here: Sequence[Element]) -> FormField:
    names = tuple(each.name for each in group)
    chosen = next((each.name for each in group if is_on(each)), "")
    return FormField(_heading(group[0], here, names), "radio", names, chosen, box=group[0].id)


def _heading(first: Element, here: Sequence[Element], names: Sequence[str]) -> str:
    """The words left of the first of a group in its line, else those right above it."""
    if beside := _beside(first, here):
        return beside
    above = [
        e
        for e in here
        if e.role in _TEXTS
        and e.name
        and e.name not in names
        and 0 <= first.bounds.y - e.bounds.bottom + 6 <= 46
        and abs(e.bounds.x - first.bounds.x) <= 60
    ]
    return max(above, key=lambda e: e.bounds.bottom).name if above else ""


def _beside(each: Element, here: Iterable[Element]) -> str:
    left = [
        e
        for e in here
        if e.role in _TEXTS
        and e.name
        and e.name != each.name
        and e.bounds.right <= each.bounds.x + 4
        and _in_row(e, each)
        and each.bounds.x - e.bounds.right <= 330
    ]
    return max(left, key=lambda e: e.bounds.x).name if left else ""
