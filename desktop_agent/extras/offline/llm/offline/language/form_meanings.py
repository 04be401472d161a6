"""Meanings of clauses about forms: fields, lists, boxes, and sending them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from desktop_agent.extras.offline.llm.offline.intents import (
    Check,
    Choose,
    Clear,
    Click,
    Fill,
    GoTo,
    Intent,
    Match,
    Phrase,
    Submit,
    TypeText,
)
from desktop_agent.extras.offline.llm.offline.language.referents import Meaning, Slots, spoken_of, thing_of
from desktop_agent.extras.offline.llm.offline.language.said import Reference
from desktop_agent.extras.offline.llm.offline.language.talk import Talk
from desktop_agent.extras.offline.llm.offline.words import known_folder

_PART = re.compile(r"\s+(?:field|box|list|menu|drop-?down|section|tab|page)$", re.I)


def _source(source: Any) -> str:
    named = isinstance(source, Phrase) and (source.name or source.near)
    return _PART.sub("", spoken_of(source)) if named else ""


def _fill(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    what = slots["field"]
    what = talk.thing if isinstance(what, Reference) else what
    if what is None or (what.kind == "item" and known_folder(slots["value"])):
        return None  # “move the important files to Documents” is about files
    if slots.get("value:by") == "into" and re.search(r"\w\.\w{1,5}$", slots["value"]):
        return None  # “the price into price.txt” goes into a file
    talk.announced = ""
    talk.of_thing(what)
    return (Fill(what, slots["value"]),)


def _no_save(_slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """“Don't save”: what a closed window asks about, or nothing that would be done anyway."""
    return (Click(Phrase("Don't save", "button")),) if talk.closing else ()


def _fill_with(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    """A value that is set with a slider or spinner, of what is set when that was said."""
    name = slots["name"].name if "name" in slots else slots["with"].name
    return (Fill(Phrase(name, slots["with"].kind), slots["value"]),)


def _fill_form(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    pairs = (*talk.mine, *slots.get("pairs", ()), *slots.get("more", ()))
    talk.mine = ()
    if not pairs:
        talk.announced = slots["said"]
        return ()
    talk.announced = ""
    return (*(Fill(field, value) for field, value in pairs), *((Submit(),) if slots.get("sent") else ()))


def _about_me(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    talk.mine, talk.announced = (*talk.mine, *slots["pairs"]), slots["said"]
    return ()


def _set_to(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    talk.announced = ""
    return (Fill(slots["field"], slots["value"]),)


def _choose(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    option, source = slots["option"], slots.get("source")
    if option.kind == "label" and not option.name:
        return None
    talk.of_thing(option)
    return (Choose(option, _source(source)),)


def _check(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    what, on = slots["what"], None if slots.get("turn") else slots.get("on", True)
    if slots["denied"]:
        on = not on
    found = thing_of(what, talk)
    if found is None:
        return None
    if slots.get("agreed"):
        found = msgspec.structs.replace(found, spoken=f"{slots['verb']} {slots['said']}")
    if found.near and found.side == "near" and not found.name and found.kind in ("field", "checkbox"):
        found = Phrase(found.near, spoken=found.spoken)
    talk.of_thing(found)
    return (Check(found, on),)


def _clear(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    if slots.get("what") is True:
        return (Clear(Phrase("trash")),)
    if "what" not in slots and slots["verb"].endswith("everything") and not talk.topic:
        return None  # “delete everything” of what has not been spoken of is too much to guess
    what = thing_of(slots.get("what", Reference("it")), talk)
    return (Clear(what or Phrase("")),)


def _submit(_slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    mine, talk.mine, talk.announced = talk.mine, (), ""
    return (*(Fill(field, value) for field, value in mine), Submit())


def _log_in(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    at = (GoTo(slots["where"]),) if slots.get("where") else ()
    user, password = slots["user"], slots["password"]
    return (
        *at, Fill(Phrase("username", spoken="username"), user), Fill(Phrase("password", spoken="password"), password),
        Submit(),
    )  # fmt: skip


def _labelled(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    label, value = slots["labelled"]
    first, talk.labelled = not talk.labelled, True
    return (TypeText(value, label, False, value) if first else Fill(Phrase(label, spoken=label), value),)


def _date(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    field, value = slots["labelled"] if "labelled" in slots else (slots["field"], slots["value"])
    name = field.name
    if "labelled" not in slots and name.lower().endswith(" date"):
        field = msgspec.structs.replace(field, name=name[:-5])
    return (Fill(field, value),)


def _match(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    source = slots.get("source")
    return (Match(**slots["like"], into=source.spoken if source else ""),)


FORM_MEANINGS: Mapping[str, Meaning] = {
    "no_save": _no_save,
    "fill": _fill,
    "choose": _choose,
    "check": _check,
    "clear": _clear,
    "submit": _submit,
    "log_in": _log_in,
    "labelled": _labelled,
    "date": _date,
    "about_me": _about_me,
    "set_to": _set_to,
    "fill_with": _fill_with,
    "fill_form": _fill_form,
    "match": _match,
}
