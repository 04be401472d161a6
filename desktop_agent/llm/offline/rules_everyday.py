"""Clauses as people say them every day: a note, a list, a look at what a page says, the keys that programs share."""

from __future__ import annotations

import re

from desktop_agent.llm.offline.files_said import folder_of
from desktop_agent.llm.offline.intents import Check, Click, Intent, Open, Phrase, Press, Read, TypeText
from desktop_agent.llm.offline.intents_desk import ListFiles
from desktop_agent.llm.offline.phrase import phrase
from desktop_agent.llm.offline.quoting import Masked
from desktop_agent.llm.offline.rules_text import Rule, _rule, text_of

_KEYS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"(?:bookmark|add a bookmark for) (?:this|the|that) (?:web ?)?page|bookmark (?:this|it)", ("ctrl", "d")),
    (r"print (?:this|it|that|(?:the|this) (?:web ?)?(?:page|document|file|text))(?: out)?", ("ctrl", "p")),
    (r"(?:make|set) (?:the|this) (?:text|page|letters|font|writing) (?:bigger|larger)|zoom in", ("ctrl", "plus")),
    (r"(?:make|set) (?:the|this) (?:text|page|letters|font|writing) smaller|zoom out", ("ctrl", "minus")),
    (r"(?:make|show|set|put) (?:it|this|(?:the|this) (?:window|page|browser|video)) (?:in |to )?full[- ]?screen|(?:go|switch to|use|enter|leave|exit) full[- ]?screen(?: mode)?", ("f11",)),
    (r"(?:show|hide|display) (?:the |all )?hidden files(?: (?:here|in this folder))?", ("ctrl", "h")),
)  # fmt: skip
_ITEM = re.compile(r"\s*(?:,\s*and|,|;|\band|&)\s+", re.I)


def _note(found: re.Match[str], masked: Masked) -> tuple[Intent, ...]:
    return (Open("text editor"), TypeText(text_of(found["text"], masked)))


def _list(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    """ "Write a shopping list with milk, eggs and bread": a line each; one thing alone is no list."""
    items = [masked.literal(each)[0].strip(" .") for each in _ITEM.split(found["items"].strip())]
    return (Open("text editor"), TypeText("\n".join(items))) if len(items) > 1 and all(items) else None


def _press(found: re.Match[str], _masked: Masked) -> tuple[Intent, ...] | None:
    said = " ".join(found[0].split())
    return next(((Press(keys),) for words, keys in _KEYS if re.fullmatch(words, said, re.I)), None)


def _pasted(_found: re.Match[str], _masked: Masked) -> tuple[Intent, ...]:
    return (Open("text editor"), Press(("ctrl", "v")))


def _about(found: re.Match[str], masked: Masked) -> tuple[Intent, ...]:
    return (Read(phrase(found["what"], masked)),)


def _into_cart(found: re.Match[str], masked: Masked) -> tuple[Intent, ...]:
    place = " ".join(found["place"].lower().split())
    owner = masked.literal(re.sub(r"^(?:the|a|an|this|that)\s+", "", found["owner"].strip(), flags=re.I))[0]
    return (Click(Phrase(f"Add to {place}", "button", near=owner, side="near", spoken=f"Add to {place}")),)


def _shown(found: re.Match[str], masked: Masked) -> tuple[Intent, ...]:
    return (Check(phrase(found["obj"], masked), not found["verb"].lower().startswith("hide")),)


def _listed(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    folder = folder_of(found["folder"], masked)
    return (ListFiles(folder),) if folder else None


_NOTE = r"(?:quick\s+|short\s+|little\s+|new\s+)?(?:note|memo|reminder)"
_KIND = r"(?:[\w-]+\s+){0,2}list"
FREE: tuple[Rule, ...] = (
    _rule(rf"(?:make|take|jot\s+down|leave)\s+(?:me\s+)?(?:a\s+)?{_NOTE}(?:\s+(?:to|for)\s+(?:me|myself|self))?\s*(?::|\s(?:saying|that\s+says|which\s+says|that\s+reads))\s*(?P<text>.+)", _note),
    _rule(rf"(?:write|make|create|start|type|prepare)\s+(?:me\s+)?(?:a|my|the)\s+{_KIND}\s*(?::|\s(?:with|of|containing|saying|that\s+has|that\s+says|and\s+put\s+on\s+it))\s+(?P<items>.+)", _list),
)  # fmt: skip
_PLACE = r"(?P<folder>(?:the\s+|my\s+)?(?:[\w/~-]+\s+){0,3}?(?:folder|directory)|(?:my|the)\s+(?:documents|downloads|desktop|pictures|music|videos))"
RULES: tuple[Rule, ...] = (
    *FREE,
    _rule("|".join(words for words, _ in _KEYS), _press),
    _rule(r"paste\s+(?:it|this|that|them|the\s+text)\s+(?:in)?to\s+a\s+new\s+(?:text\s+)?(?:document|file|note)", _pasted),
    _rule(r"(?:(?:tell\s+me|see|check|find\s+out|read(?:\s+me)?)\s+)?what\s+(?:does\s+)?(?:it|(?:this|the|that)\s+(?:\w+\s+)?(?:page|site|website|document|text|article|file))\s+(?:says?|tells?(?:\s+(?:me|us|you))?)\s+(?:about|on|regarding)\s+(?P<what>.+)", _about),
    _rule(r"(?:add|put)\s+(?P<owner>.+?)\s+(?:in)?to\s+(?:my|the|your)\s+(?:shopping\s+)?(?P<place>cart|basket|bag|wish\s?list)", _into_cart),
    _rule(r"(?P<verb>show|display|hide)\s+(?:me\s+)?(?P<obj>(?:the\s+)?(?:[\w-]+\s+){0,2}?(?:line\s+numbers|bar|toolbar|menubar|statusbar|sidebar|panel|pane|ruler))", _shown),
    _rule(rf"how\s+many\s+(?:files|things|items|documents|folders|pictures|photos)(?:\s+and\s+folders)?\s+(?:are\s+)?(?:there\s+)?(?:do\s+i\s+have\s+)?(?:in|on|inside)\s+{_PLACE}", _listed),
    _rule(rf"what(?:['’]s|\s+is|\s+do\s+i\s+have)\s+(?:there\s+)?(?:in|on|inside)\s+{_PLACE}", _listed),
)  # fmt: skip
