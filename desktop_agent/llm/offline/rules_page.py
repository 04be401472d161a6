"""Clauses about pages by their address: what to look up, choose or do there."""

from __future__ import annotations

import re
from functools import partial

import msgspec

from desktop_agent.llm.offline.arithmetic import expression
from desktop_agent.llm.offline.files_said import FILE, file_of
from desktop_agent.llm.offline.intents import (
    Choose,
    Click,
    Fill,
    GoTo,
    Intent,
    Open,
    Phrase,
    Read,
    Search,
    TypeText,
)
from desktop_agent.llm.offline.intents_desk import KeepResult
from desktop_agent.llm.offline.phrase import phrase
from desktop_agent.llm.offline.quoting import Masked
from desktop_agent.llm.offline.rules_system import ADDRESS
from desktop_agent.llm.offline.rules_text import ReadClause, Rule, _rule

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


def _inside(clause: ReadClause, found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    there, inner = _there(found, masked), clause(found["rest"], masked)
    return (there, *inner) if there and inner else None


def _search(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    there = _there(found, masked)
    return (there, Search(masked.literal(found["what"])[0], "page")) if there else None


def _log_in(clause: ReadClause, found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    there, inner = _there(found, masked), clause(f"log in {found['rest']}", masked)
    return (there, *inner) if there and inner else None


def _form(clause: ReadClause, found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    there, inner = _there(found, masked), clause(f"fill in the form with {found['pairs']}", masked)
    return (there, *inner) if there and inner else None


def _see_there(clause: ReadClause, found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    there, inner = _there(found, masked), clause(f"tell me {found['rest']}", masked)
    return (there, *inner) if there and inner else None


def _how_much(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    """ "How much the kettle costs" asks for a price, "how many kettles are in stock" for what is in stock."""
    groups = found.groupdict()
    thing, state = groups.get("thing") or groups.get("thing2") or "", groups.get("state") or "price"
    if expression(masked.restore(thing)) or re.match(r"\d", thing):
        return None
    words = f"{state} of {masked.literal(thing)[0]}"
    return (Read(Phrase(words, spoken=words)),)


def _fetched(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    """ "Copy the address from that page into museum.txt"."""
    there, file = _there(found, masked), file_of(found, masked)
    return (there, Read(phrase(found["what"], masked)), KeepResult(*file)) if there and file else None


def _into_editor(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    read = Read(phrase(re.sub(r"^(?:its|their)\s+", "", found["what"], flags=re.I), masked))
    return (read, Open("text editor"), TypeText("", result=True))


def as_field(text: str, masked: Masked) -> Fill | None:
    """ "Bob as the name" or "the topic Press", after another such field."""
    one = _AS_FIELD.fullmatch(text.strip(" .")) or _NAMED_FIELD.fullmatch(text.strip(" ."))
    return Fill(phrase(one["field"], masked), masked.literal(one["value"])[0]) if one else None


def _as_fields(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    """ "Bob as the name and bob@x.org as the e-mail address"; None when not all of it is said so."""
    fields, at, said = [], 0, found["said"].strip(" .")
    while at < len(said):
        one = _AS_FIELD.match(said, at)
        if one is None:
            return None
        fields.append(Fill(phrase(one["field"], masked), masked.literal(one["value"])[0]))
        at = one.end()
    return tuple(fields)


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


_FIELD = r"(?:[\w-]+\s+){0,2}?(?:name|address|e-?mail|password|message|subject|phone|city|town|street|comment|code|number|zip|country|title|age|company|user|login)"
_AS_FIELD = re.compile(
    rf"\s*,?\s*(?:and\s+)?(?P<value>.+?)\s+(?:as|for)\s+(?:the|my|your)\s+(?P<field>{_FIELD})(?=\s*(?:,|$|and\b))",
    re.I | re.S,
)

_NAMED_FIELD = re.compile(
    rf"(?:and\s+)?(?:the|my|your)\s+(?P<field>{_FIELD}|[\w-]+)\s+(?P<value>(?-i:[A-Z\d\x02]).*|\S+@\S+)",
    re.I | re.S,
)


def rules(clause: ReadClause) -> tuple[Rule, ...]:
    """The rules of this file; `clause` reads the clauses that stand inside another."""
    return (
        _rule(rf"(?:search(?:\s+for)?|look\s+for)\s+(?P<what>.+?)\s+{_ON}{_ADDRESS}", _search),
        _rule(rf"(?:log|sign)\s+(?:me\s+)?(?:in|on)\s*(?:at|on|to|in)\s+(?:(?:the\s+)?(?:page|site|website)\s+)?{_ADDRESS},?\s+(?P<rest>(?:as|with|using)\s.+)", partial(_log_in, clause)),
        _rule(rf"fill\s+(?:in|out|up)\s+(?:the|this)\s+(?:\w+\s+)?form\s+(?:at|on)\s+{_ADDRESS}\s*(?:with|using|:|as\s+follows:?)\s*(?P<pairs>.+)", partial(_form, clause)),
        _rule(rf"(?:check|look|see|find\s+out)\s+(?:on|at)\s+{_ADDRESS},?\s+(?P<rest>(?:how|what|which)\s.+)", partial(_see_there, clause)),
        _rule(r"(?:(?:tell\s+me|find\s+out|check|say|see|look\s+up|report|let\s+me\s+know)\s+)?how\s+much\s+(?:(?:is|are|does|do)\s+(?P<thing>[^,]+?)(?:\s+cost)?|(?P<thing2>[^,]+?)\s+(?:costs?|is|are))", _how_much),
        _rule(r"(?:(?:tell\s+me|find\s+out|check|say|see|look\s+up|report)\s+)?what\s+(?:(?:does|do)\s+(?P<thing>[^,]+?)\s+cost|(?P<thing2>[^,]+?)\s+costs?)", _how_much),
        _rule(r"(?:(?:tell\s+me|find\s+out|check|say|see|look\s+up|report)\s+)?how\s+many\s+(?P<thing>[^,]+?)\s+(?:are|is)\s+(?:there\s+|still\s+)*(?P<state>in\s+stock|available|left|sold)", _how_much),
        _rule(rf"(?:copy|save|note|write|put|store|enter)\s+(?:down\s+)?(?P<what>.+?)\s+(?:from|on|at)\s+{_ADDRESS}\s+(?:in|into|to|as)\s+(?:(?:a|the)\s+(?:new\s+)?(?:text\s+|plain\s+)*(?:file|document|note)\s+(?:called|named)\s+)?{FILE}", _fetched),
        _rule(r"(?:copy|paste|put|transfer)\s+(?P<what>(?:the|its|their)\s+(?!text\b|selection\b|selected\b)[^,]+?)\s+(?:from\s+(?:there|the\s+page)\s+)?(?:in)?to\s+(?:the|a)\s+(?:new\s+)?(?:text\s+editor|editor|notepad|text\s+document|text\s+file|document)", _into_editor),
        _rule(r"(?:enter|type|write|put|give|use|fill\s+in)\s+(?P<said>.+\s(?:as|for)\s+(?:the|my|your)\s.+)", _as_fields),
        _rule(rf"(?:on|at)\s+(?:(?:the\s+)?(?:page|site|website|web\s*page)\s+)?{_ADDRESS},?\s+(?P<rest>.+)", partial(_inside, clause)),
        _rule(rf"{_FIND_OUT}\s+(?:for\s+|me\s+)?(?P<what>.+?)\s+{_ON}{_ADDRESS}", _look_up),
        _rule(r"(?:follow|use|take|open)\s+(?:the|a)\s+link\s+(?:to|for|called|named|labell?ed|about|that\s+says)\s+(?P<link>.+)", _follow),
        _rule(r"follow\s+(?:the\s+)?(?P<link2>.+?)(?:\s+link)?", _follow),
        _rule(rf"(?P<deed>{_DEEDS})\s+(?:it|them|that|this|now|the\s+(?:room|order|ticket|table|trip|flight|form|changes))(?:\s+now)?", _press),
        _rule(r"(?:choose|pick|select|set|enter|take)\s+(?P<value>.+?)\s+(?:as|for)\s+(?P<field>(?:the\s+|my\s+|your\s+)?(?:.+\s)?(?:date|day|arrival|departure|birthday|deadline|check-?in|check-?out|start|end)\b.*)", _dated),
    )  # fmt: skip
