"""Clauses about pages by their address: what to look up, choose or do there."""

from __future__ import annotations

import re

import msgspec

from desktop_agent.llm.offline.intents import Choose, Click, Fill, GoTo, Intent, Phrase, Read
from desktop_agent.llm.offline.phrase import phrase
from desktop_agent.llm.offline.quoting import Masked
from desktop_agent.llm.offline.rules_system import ADDRESS
from desktop_agent.llm.offline.rules_text import Rule, _rule

_ADDRESS = r"(?P<address>(?:https?://|www\.|localhost|127\.|file://)\S*[^\s.,;:!?]|(?:[\w-]+\.)+[a-z]{2,}(?:/\S*[^\s.,;:!?])?)"
_ON = r"(?:on|at|from|in)\s+(?:(?:the\s+)?(?:page|site|website|web\s*page)\s+(?:at\s+)?)?"
_FIND_OUT = (
    r"(?:look\s+up|find\s+out|find|check|read|get|tell\s+me|see|report|give\s+me|what\s+is|what's|look\s+for)"
)
# What a button on a form or a page may say; "book it" is the button for that.
_DEEDS = r"(?:book|order|buy|reserve|subscribe|register|apply|post|publish|reply|update|proceed|pay|check\s*out|donate|vote|join|enrol|upload|download|print|share|request)"
_DATE = re.compile(r"\d{1,4}[-./]\d{1,2}|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b", re.I)


def _there(found: re.Match[str], _masked: Masked) -> GoTo | None:
    address = found["address"]
    return GoTo(address) if ADDRESS.fullmatch(address) or "://" in address else None


def _look_up(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    there = _there(found, masked)
    what = re.sub(
        r"^(?:out\s+)?(?:what|how\s+much)\s+(.+?)\s+(?:is|are|costs?)$",
        r"\1",
        found["what"].strip(),
        flags=re.I,
    )
    return (there, Read(phrase(what, masked))) if there else None


def _inside(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    from desktop_agent.llm.offline.clause import clause

    there, inner = _there(found, masked), clause(found["rest"], masked)
    return (there, *inner) if there and inner else None


def _follow(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    groups = found.groupdict()
    name = masked.literal(
        re.sub(r"^(?:the|our|a)\s+", "", groups.get("link") or groups["link2"], flags=re.I)
    )[0]
    name = re.sub(r"\s+(?:page|section|site)$", "", name)
    return (Click(Phrase(name, "link", spoken=f"{name} link")),)


def _press(found: re.Match[str], _masked: Masked) -> tuple[Intent, ...] | None:
    name = re.sub(r"\s+", " ", found["deed"].lower())
    return (Click(Phrase(name, "button", spoken=f"{name} button")),)


def _dated(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    """ "Choose 3 May 2027 as the arrival date": a date is no option of a list."""
    if not _DATE.search(masked.restore(found["value"])):
        return None
    field, *others = re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", found["field"].strip())
    also = [phrase(each, masked) for each in others if each]
    # "The arrival date" may be called Arrival.
    named = phrase(field, masked)
    stem = re.sub(r"\s+(?:date|day)$", "", named.name, flags=re.I)
    named = msgspec.structs.replace(named, name=stem)
    return (Fill(named, masked.literal(found["value"])[0]), *map(Choose, also))


RULES: tuple[Rule, ...] = (
    _rule(rf"(?:on|at)\s+(?:(?:the\s+)?(?:page|site|website|web\s*page)\s+)?{_ADDRESS},?\s+(?P<rest>.+)", _inside),
    _rule(rf"{_FIND_OUT}\s+(?:for\s+|me\s+)?(?P<what>.+?)\s+{_ON}{_ADDRESS}", _look_up),
    _rule(r"(?:follow|use|take|open)\s+(?:the|a)\s+link\s+(?:to|for|called|named|labell?ed|about|that\s+says)\s+(?P<link>.+)", _follow),
    _rule(r"follow\s+(?:the\s+)?(?P<link2>.+?)(?:\s+link)?", _follow),
    _rule(rf"(?P<deed>{_DEEDS})\s+(?:it|them|that|this|now|the\s+(?:room|order|ticket|table|trip|flight|form|changes))(?:\s+now)?", _press),
    _rule(r"(?:choose|pick|select|set|enter|take)\s+(?P<value>.+?)\s+(?:as|for)\s+(?P<field>(?:the\s+|my\s+|your\s+)?(?:.+\s)?(?:date|day|arrival|departure|birthday|deadline|check-?in|check-?out|start|end)\b.*)", _dated),
)  # fmt: skip
