"""Meanings of clauses about windows, and about commands that every program has on the same keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from desktop_agent.extras.offline.llm.offline.intents import (
    Click,
    Focus,
    Intent,
    Phrase,
    Press,
    Window,
)
from desktop_agent.extras.offline.llm.offline.language.fact_meanings import copied
from desktop_agent.extras.offline.llm.offline.language.referents import Meaning, Slots
from desktop_agent.extras.offline.llm.offline.language.said import FileSaid, Reference
from desktop_agent.extras.offline.llm.offline.language.talk import Talk

_COPY_IT = ("copy it", "copy that", "copy this", "copy them")


def _window(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    if "by_click" in slots:
        return (Click(slots["by_click"]),)
    spoken_of = isinstance(slots.get("what"), Reference) and talk.topic == "app"
    if isinstance(at := slots.get("what"), int):
        if not talk.listed or at > len(talk.listed):
            return None
        slots = {**slots, "what": talk.listed[at if at < 0 else at - 1]}
    if slots["verb"] == "switch" and isinstance(slots.get("what"), Reference) and not spoken_of:
        return None
    what, thing = _what_window(talk.app if spoken_of else slots.get("what"))
    if what is None:
        return None
    if thing == "application" and what:
        talk.of_app(what)
    talk.closing = slots["verb"] == "close"
    unsaved = "discard" if slots.get("discard") else "save" if slots.get("save") else ""
    return (Window(slots["verb"], what, thing, unsaved),)  # type: ignore[arg-type]


def _what_window(what: Any) -> tuple[str | None, str]:
    if what is None or isinstance(what, Reference):
        return "", "window"
    if isinstance(what, FileSaid):
        return what.name, "application"
    if isinstance(what, str):
        return what, "application"
    words_of = what.spoken.lower().split()
    last = words_of[-1] if words_of else ""
    name = " ".join(what.spoken.split()[:-1])
    kinds = {"window": "window", "tab": "tab", "dialog": "dialog", "popup": "dialog", "pop-up": "dialog", "program": "application",
             "app": "application", "application": "application", "menu": "menu", "message": "dialog"}  # fmt: skip
    if last not in kinds:
        return (what.name, "application") if what.name and not what.kind else (None, "")
    plain = name.lower() in ("current", "active", "open", "front", "the", "this", "that")
    return "" if plain else name, kinds[last]


def pressed_keys(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """A command that every program has on the same keys."""
    where = slots.get("what")
    if tuple(slots["keys"]) == ("ctrl", "a"):
        talk.selected = True
    if tuple(slots["keys"]) == ("ctrl", "c") and slots["verb"] in _COPY_IT and not talk.selected:
        return copied(talk)
    focus = (Focus(where),) if isinstance(where, Phrase) and where.kind == "field" else ()
    return (*focus, Press(tuple(slots["keys"]), slots.get("times", 1)))


WINDOW_MEANINGS: Mapping[str, Meaning] = {
    "window": _window,
    "keys": pressed_keys,
}
