"""Meanings of clauses that search for something: words, or what was read before."""

from __future__ import annotations

import re
from collections.abc import Mapping

from desktop_agent.extras.offline.llm.offline.intents import (
    Intent,
    Phrase,
    Press,
    Search,
    Window,
)
from desktop_agent.extras.offline.llm.offline.language.fact_meanings import tell
from desktop_agent.extras.offline.llm.offline.language.referents import Meaning, Slots, spoken_of
from desktop_agent.extras.offline.llm.offline.language.talk import Talk

_TO_BE_FOUND = re.compile(
    r"^(?:how (?:much|many)|whether|what the|which|when the)\b|\b(?:whose|which)\b|\?", re.I
)
"""Words that ask for what has to be read somewhere before it can be searched for."""


_THE_WEB = re.compile(r"(?:(?:the|my) )?(?:web|internet|net|(?:web )?browser|online)", re.I)
"""Places that say no more than that it is searched for."""


def _search(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    text, place = slots["text"].text, slots.get("place")
    if slots["verb"].startswith("look") and "at_address" in slots:
        return None
    if not slots["text"].marked and _TO_BE_FOUND.search(text):
        return None  # something to be found out first
    name = "" if place is None else place if isinstance(place, str) else spoken_of(place)
    name = "" if _THE_WEB.fullmatch(name) else name
    if isinstance(place, Phrase) and not place.kind and not slots["text"].marked and not slots.get("sure"):
        return (Search(text, name, False, slots["said"]),)
    return (Search(text, name),)


def _search_fact(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """What a file says is read and searched for."""
    read = tell({"what": slots["what"], "origin": slots["origin"]}, talk)
    return (*read, *_search_result(slots.get("place"))) if read else None


def _search_it(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """“And search for it”: of what was typed into a field just now, or was read."""
    place = slots.get("place")
    if talk.typed and place is None:
        return (Press(("enter",)),)
    talk.announced = ""
    return _search_result(place) if talk.topic == "result" else None


def _search_result(place: Phrase | str | None) -> tuple[Intent, ...]:
    """What was read is searched for; on a page that is open, when the place is called one."""
    name = spoken_of(place) if place is not None else ""
    shown = re.search(r"\b(?:page|site|website)$", name, re.I)
    switch = (Window("switch", "browser", "application"),) if shown else ()
    return (*switch, Search("", name, result=True))


SEARCH_MEANINGS: Mapping[str, Meaning] = {
    "search": _search,
    "search_fact": _search_fact,
    "search_it": _search_it,
}
