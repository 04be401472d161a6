"""Clauses about what is drawn: all of a kind, how many there are, what a figure is, a point of a diagram."""

from __future__ import annotations

import re

from desktop_agent.llm.offline import figures
from desktop_agent.llm.offline.intents import Intent
from desktop_agent.llm.offline.intents_hand import ClickAll, Count, GridPoint, Identify
from desktop_agent.llm.offline.phrase import phrase
from desktop_agent.llm.offline.quoting import Masked
from desktop_agent.llm.offline.rules_text import Rule, _rule


def _all(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    what = phrase(found["obj"], masked)
    return (ClickAll(what),) if figures.wanted(what.spoken) else None


def _in_order(found: re.Match[str], masked: Masked) -> tuple[Intent, ...]:
    return (
        ClickAll(phrase("numbers", masked), -1 if found["order"].lower().startswith(("de", "fall")) else 1),
    )


def _count(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    what = phrase(found["obj"], masked)
    return (Count(what),) if figures.wanted(what.spoken) else None


def _point(found: re.Match[str], _masked: Masked) -> tuple[Intent, ...]:
    return (GridPoint(float(found["x"]), float(found["y"])),)


def _kind(_found: re.Match[str], _masked: Masked) -> tuple[Intent, ...]:
    return (Identify("kind"),)


def _sides(_found: re.Match[str], _masked: Masked) -> tuple[Intent, ...]:
    return (Identify("sides"),)


_CHOOSE = r"(?:click|press|push|choose|select|pick|tap|mark)(?:\s+on)?"
_FIGURE = r"(?:figure|shape|picture|image|drawing|object|item|thing|symbol)"
_NUMBER = r"-?\d+(?:\.\d+)?"

RULES: tuple[Rule, ...] = (
    _rule(rf"{_CHOOSE}\s+(?:all\s+)?(?:the\s+)?(?:numbers|digits)\s+in\s+(?P<order>ascending|increasing|rising|descending|decreasing|falling)\s+order", _in_order),
    _rule(rf"{_CHOOSE}\s+(?:all|every|each)\s+(?:of\s+)?(?P<obj>.+)", _all),
    _rule(r"(?:how many|count(?: how many)?(?: all)?(?: the)?)\s+(?P<obj>.+?)(?:\s+(?:are|do you see|can you see|is)(?:\s+(?:there|shown|visible))?(?:\s+.*)?)?\??", _count),
    _rule(rf"{_CHOOSE}\s+the\s+\S+\s+that\s+(?:best\s+|correctly\s+)?(?:describes|names|identifies|matches|says what|tells what)\s+(?:the\s+)?{_FIGURE}.*", _kind),
    _rule(rf"{_CHOOSE}\s+the\s+\S+\s+that\s+(?:best\s+|correctly\s+)?\w+\s+how many (?:sides|corners|edges|vertices)\s+the\s+{_FIGURE}.*", _sides),
    _rule(rf"how many (?:sides|corners|edges|vertices) (?:does|has) the\s+{_FIGURE}.*", _sides),
    _rule(rf"{_CHOOSE}\s+(?:at\s+)?(?:the\s+)?(?:grid|graph|chart|diagram|plot|map)\s+(?:coordinates?|point|position)\s*\(?\s*(?P<x>{_NUMBER})\s*[,;]\s*(?P<y>{_NUMBER})\s*\)?", _point),
    _rule(rf"{_CHOOSE}\s+(?:at\s+)?(?:the\s+)?(?:coordinates?|point|position)\s*\(?\s*(?P<x>{_NUMBER})\s*[,;]\s*(?P<y>{_NUMBER})\s*\)?\s+(?:on|in|of)\s+the\s+(?:grid|graph|chart|diagram|plot)", _point),
)  # fmt: skip
