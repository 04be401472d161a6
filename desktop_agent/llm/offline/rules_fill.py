"""Clauses that put values where they belong: with a slider, as the date, into both fields, what begins with …"""

from __future__ import annotations

import re

from desktop_agent.llm.offline import rules_form
from desktop_agent.llm.offline.intents import Check, Choose, Click, Fill, Intent, Match, Phrase, TypeText
from desktop_agent.llm.offline.phrase import phrase
from desktop_agent.llm.offline.quoting import QUOTED, Masked
from desktop_agent.llm.offline.rules_text import Rule, _rule, place, text_of

_ENTER = r"(?:type|write|enter|input|key in|put|insert|fill in|fill)"
_PICK = r"(?:select|choose|pick|set|enter|input|dial|get|show)"
_WIDGET = (
    r"(?:sliders?|spinner|spin ?box|spin ?button|spin control|stepper|dial|knob|colou?r ?(?:picker|wheel|chooser|selector)"
    r"|date ?(?:picker|selector|chooser)|time ?(?:picker|selector)|calendar|number (?:field|picker))"
)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
WHEN = (
    r"(?:(?:\w+day,?\s+)?(?:\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}"
    rf"|(?:the\s+)?{_DAY}\s+(?:of\s+)?{_MONTH},?(?:\s+\d{{4}})?|{_MONTH}\s+{_DAY}(?:,?\s+\d{{4}})?)"
    r"|\d{1,2}[:.]\d{2}(?:[:.]\d{2})?\s*(?:[ap]\.?m\.?)?|\d{1,2}\s*[ap]\.?m\.?|noon|midnight)"
)
_FIELDS = r"(?:fields?|boxes|box|inputs?|entries|entry|blanks?|spaces|form|text ?boxes|text ?areas?)"
_EVERY = r"(?:both|all|each|every(?: one)?|the (?:two|three|four))(?: of)?(?: the)?"
_OTHERS = r"(?:(?:all )?(?:the |of the )?(?:rest|others?|remaining(?: \w+)?|other \w+)|everything(?: else)?|it|them)"


def _widget(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    field = phrase(found["field"], masked)
    groups = found.groupdict()
    if groups.get("name"):
        named = phrase(groups["name"], masked)
        field = Phrase(named.name, field.kind, named.ordinal, quoted=named.quoted, spoken=named.spoken)
    return (Fill(field, text_of(found["value"], masked)),)


def _dated(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    return (Fill(phrase(found["field"], masked), masked.restore(found["value"]).strip()),)


def _into_every(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    what = phrase(found["field"], masked)
    field = Phrase("", what.kind or "field", spoken=masked.restore(found["every"]).strip())
    return (Fill(field, _quoted_or_all(found["value"], masked)),)


def _quoted_or_all(said: str, masked: Masked) -> str:
    """ "the password "x"": the quotation is what is meant."""
    only = re.fullmatch(rf"(?:(?:the|a|an|my|this)\s+)?(?:[\w-]+\s+){{1,3}}(?P<q>{QUOTED})", said.strip())
    return text_of(only["q"] if only else said, masked)


def _described(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    """ "Enter the number "7" into the 2nd textbox": only the quotation is typed."""
    into = found["into"].rstrip(".")
    if re.fullmatch(rf"(?:the |your |my )?(?:\w+ )?{_FIELDS[:-1]}|fields)", into, re.I) and into.endswith(
        "s"
    ):
        return (Fill(phrase(found["what"], masked), text_of(found["text"], masked)),)
    return (TypeText(text_of(found["text"], masked), place(into, masked)),)


def _match(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    said: dict[str, str] = {}
    for each in _CONDITION.finditer(found["conditions"]):
        kind = next(k for k in ("starts", "ends", "contains") if each[k])
        said[kind] = text_of(each["text"], masked)
    into = found.groupdict().get("into") or ""
    return (Match(**said, into=place(into, masked)),) if said else None


def _nothing(_found: re.Match[str], _masked: Masked) -> tuple[Intent, ...] | None:
    return ()


_CONDITION = re.compile(
    r"(?:that\s+|which\s+|whose\s+(?:name|text|label|title)\s+)?"
    r"(?:(?P<starts>(?:starts?|begins?|starting|beginning)\s+with)|(?P<ends>(?:ends?|ending|finish(?:es|ing)?)\s+(?:with|in))"
    rf"|(?P<contains>contains?|containing|includ(?:es|ing)))\s+(?:the\s+(?:letters?|text|words?|characters?)\s+)?(?P<text>{QUOTED}|\S+?)(?=$|[\s,.;])",
    re.I,
)
_CONDITIONS = rf"(?P<conditions>{re.sub(r'[?]P<[a-z]+>', '?:', _CONDITION.pattern)}(?:\s*,?\s*(?:and\s+|but\s+)?{re.sub(r'[?]P<[a-z]+>', '?:', _CONDITION.pattern)})*)"

EARLY: tuple[Rule, ...] = (
    _rule(rf"(?:use|using|with)\s+the\s+(?P<field>(?:[\w-]+\s+){{0,3}}?{_WIDGET})\s*(?:,|\sto\s|\sand\s)\s*(?:(?:select|choose|set|pick|enter|show|reach|get|go to)(?:\s+to)?\s+)(?:(?P<name>the\s+.+?)\s+to\s+)?(?P<value>.+)", _widget),
)  # fmt: skip
"""Read before a place that is said first is taken off: "use the slider to select 5"."""

FIRST: tuple[Rule, ...] = (
    _rule(rf"{_PICK}\s+(?:the\s+(?:value|number|date|colou?r|time)\s+)?(?P<value>.+?)\s+(?:with|using|by using|on|in|via|from|at|by means of)\s+(?:the|a)\s+(?P<field>(?:[\w-]+\s+){{0,3}}?{_WIDGET})", _widget),
    _rule(rf"(?:set|move|change|drag|adjust)\s+(?P<name>the\s+.+?)\s+(?:with|using|on)\s+the\s+(?P<field>(?:[\w-]+\s+){{0,3}}?{_WIDGET})\s+to\s+(?P<value>.+)", _widget),
    _rule(rf"(?:{_ENTER}|{_PICK}|use|pick)\s+(?P<value>{WHEN})\s+(?:as|for|in|into|on)\s+(?P<field>(?:the\s+|my\s+|your\s+|a\s+)?.+)", _dated),
    _rule(rf"(?:{_ENTER}|{_PICK}|use|pick)\s+(?P<field>(?:the\s+|my\s+)?(?:\w+\s+){{0,2}}(?:date|time|day|birthday|deadline))\s*:?\s+(?P<value>{WHEN})", _dated),
    _rule(rf"{_ENTER}\s+(?P<value>.+?)\s+(?:in|into|to|for|inside|on)\s+(?P<every>{_EVERY}\s+(?P<field>(?:[\w-]+\s+){{0,3}}?{_FIELDS}))", _into_every),
    _rule(rf"{_ENTER}\s+(?:the|a|an|my|this)\s+(?P<what>(?:[\w-]+\s+){{0,2}}?[\w-]+)\s+(?P<text>{QUOTED})\s+(?:in|into|inside|to|for)\s+(?P<into>.+)", _described),
    _rule(rf"(?:{_ENTER}|{_PICK}|find|use|check|click(?: on)?)\s+(?:an?|the|any|some|one|every|all)\s+(?:[\w-]+\s+){{0,3}}?{_CONDITIONS}(?:\s+(?:in|into|from|out of|for|as)\s+(?P<into>.+))?", _match),
    _rule(r"(?:select|choose|check|tick|pick|mark|click)\s+(?:nothing|none|neither|no (?:boxes|box|check ?boxes|options?|items?|one)|none of (?:them|the .+|these .+))(?:\s+at all)?", _nothing),
    _rule(rf"(?:leave|keep)\s+{_OTHERS}(?:\s+(?:alone|unchanged|untouched|blank|empty|unchecked|unticked|unselected|as (?:it|they) (?:is|are)|as is|off))?", _nothing),
    _rule(rf"(?:do not|don.?t)\s+(?:touch|change|select|check|tick|click)\s+(?:{_OTHERS}|any(?:thing)?(?: of the)?(?: others?| rest| else)?)", _nothing),
)  # fmt: skip


def continuation(last: Intent, body: str, masked: Masked) -> tuple[Intent, ...] | None:
    """ "Enter the username "a" …" goes on with "and the password "b" into the text fields"."""
    if not isinstance(last, TypeText | Fill) or (isinstance(last, TypeText) and not last.into):
        return None
    bare = re.sub(
        rf"\s+(?:in|into|to)\s+(?:the\s+|their\s+)?(?:\w+\s+){{0,2}}{_FIELDS}$", "", body, flags=re.I
    )
    quoted = re.fullmatch(
        rf"(?:the|my|your|a)?\s*(?P<field>[\w -]{{1,40}}?)\s+(?P<value>{QUOTED})", bare, re.I
    )
    plain = re.fullmatch(
        rf"(?:the|my|your)\s+(?P<field>{rules_form._FIELD_NAMES})\s+(?:(?:with|to|as|is)\s+)?(?P<value>\S+(?:\s\S+)?)",
        bare,
        re.I,
    )
    found = quoted or plain
    return (rules_form.fill_of(found["field"], found["value"], masked),) if found else None


_NAMES = rf"(?:{QUOTED})(?:(?:\s*,\s*|\s+)(?:and\s+|or\s+)?{QUOTED})*"
_LIST = r"(?:list(?: ?box)?|drop-?down|menu|options?|choices|combo ?box|select(?:or| box)?|table|box)"
_LAST_NAME = re.compile(
    rf"(?:the\s+)?(?:{_NAMES}|(?:[^\s,]+\s+){{1,4}}?(?:from|in|out of|of)\s+(?:the|that|this)\s+(?:[\w-]+\s+){{0,2}}{_LIST})"
    rf"(?:\s+(?:from|in|out of)\s+the\s.+)?\W*",
    re.I,
)


def goes_on(last: Intent, before: str, text: str) -> bool:
    """ "… that starts with "a"" goes on with "and ends with "b"", a choice with "and Peru from the list", a day with its year."""
    if isinstance(last, Match):
        return bool(_CONDITION.match(text.strip()))
    if re.match(r"\s*\d{4}\b", text) and re.search(rf"{_MONTH}\s+{_DAY}$", before, re.I):
        return True
    return isinstance(last, Choose | Check | Click) and bool(_LAST_NAME.fullmatch(text.strip()))
