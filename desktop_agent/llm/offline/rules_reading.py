"""Clauses that read something and use it: words by their place, values, copying, problems, formatting."""

from __future__ import annotations

import re
from typing import cast

from desktop_agent.llm.offline import words
from desktop_agent.llm.offline.intents import (
    CopyText,
    FillFromTable,
    FindOut,
    Guess,
    Highlight,
    Intent,
    Phrase,
    Scroll,
    Solve,
    Sort,
    Style,
    TypeText,
)
from desktop_agent.llm.offline.intents_composite import Unit
from desktop_agent.llm.offline.phrase import phrase
from desktop_agent.llm.offline.quoting import QUOTED, Masked
from desktop_agent.llm.offline.rules_text import Rule, _rule, place

TRUTHS = ("odd", "even", "positive", "negative", "prime", "composite", "zero")
"""What can be told of a number."""

COLOURS = (
    "red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "black", "white", "grey", "gray",
)  # fmt: skip
_STYLES = {"italics": "italic", "italicised": "italic", "italicized": "italic", "underlined": "underline", "bolded": "bold",
           "italicise": "italic", "italicize": "italic", "embolden": "bold", "grey": "gray"}  # fmt: skip

_POINTING = re.compile(
    r"\s+(?:shown\s+|given\s+|just\s+)?(?:below|above|here|(?:on|in) (?:the|this) (?:page|screen))$", re.I
)
_UNIT = r"(?P<unit>word|letter|character|sentence|line|number)"
_PART = rf"(?:the\s+)?(?P<nth>{words.ORDINAL})\s+{_UNIT}\s+(?:that is\s+)?(?:in|of|from|on|inside|within)\s+(?P<where>.+?)"
_VALUE = r"(?:the\s+)?(?:value|contents?|amount|number|text|entry|data|cell)\s+(?:of|for|in|from|beside|next to|under|at)\s+(?P<where>.+?)"
_READ = (
    r"(?:find|locate|identify|look up|look for|note|remember|get|take|determine|figure out|find out|read|tell me|give me|"
    r"what is|what's|which is|report)"
)
_ENTER = r"(?:type|enter|write|put|input|copy|insert|place|key in)"
_INTO = r"\s+(?:into|in|to)\s+(?P<into>(?:the|a|an|this)\s+.+)"
_ALL = r"(?:everything|it all|all(?: of)? (?:the |it|this )?(?:text|words?)?|the (?:whole |entire |full )?text|the whole thing)"
_TEXTS = r"(?:paragraph|sentence|text ?area|text ?box|textarea|box|field|note|text|passage|line|word|phrase)"


def _unit(said: str) -> Unit:
    return cast(Unit, {"character": "letter"}.get(said.lower(), said.lower()))


def _thing(fragment: str, masked: Masked) -> Phrase:
    return phrase(_POINTING.sub("", fragment.strip()), masked)


def _part(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    nth = words.ordinal(found["nth"])
    return (FindOut(_unit(found["unit"]), _thing(found["where"], masked), nth),)


def _part_typed(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    reading = _part(found, masked) or ()
    return (*reading, TypeText("", place(found["into"], masked), result=True))


def _value(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    return (FindOut("value", _thing(found["where"], masked)),)


def _value_typed(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    return (*(_value(found, masked) or ()), TypeText("", place(found["into"], masked), result=True))


def _copy(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    return (CopyText(_thing(found["obj"], masked)),)


def _solve(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    problem = masked.literal(found.groupdict().get("problem") or "")[0]
    return (Solve(problem.strip()),)


def _sort(found: re.Match[str], _masked: Masked) -> tuple[Intent, ...] | None:
    names = tuple(each.lower() for each in re.split(r"\s*,\s*(?:or\s+)?|\s+or\s+", found["names"].strip()))
    return (Sort(names),) if len(names) > 1 and all(name in TRUTHS for name in names) else None


def _guess(found: re.Match[str], _masked: Masked) -> tuple[Intent, ...] | None:
    low, high = int(found["low"]), int(found["high"])
    return (Guess(min(low, high), max(low, high)),)


def _fill_all(_found: re.Match[str], _masked: Masked) -> tuple[Intent, ...] | None:
    return (FillFromTable(),)


def _highlight(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    return (Highlight(_thing(found["obj"], masked)),)


def _highlight_words(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    where = _thing(found["where"], masked) if found.groupdict().get("where") else Phrase("")
    return (Highlight(where, masked.literal(found["words"])[0]),)


def _style(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    style = found["style"].lower()
    style = _STYLES.get(style, style)
    if style not in ("bold", "italic", "underline", *COLOURS):
        return None
    return (Style(_styled(found["obj"], masked), style),)


def _styled(said: str, masked: Masked) -> str:
    """The words that are meant, "" for all of them."""
    if re.fullmatch(_ALL, said.strip(), re.I):
        return ""
    bare = re.sub(r"^(?:the\s+)?(?:text|words?|phrase|sentence)\s+", "", said.strip(), flags=re.I)
    return masked.literal(bare)[0]


def _scroll_end(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    over = masked.literal(_POINTING.sub("", found["over"].strip()))[0]
    if re.match(r"(?:up|down|left|right|all|page|window|screen|back)\b", over, re.I):
        return None
    up = found["end"].lower() in ("top", "beginning", "start")
    return (Scroll("up" if up else "down", unit="end", over=over),)


def _nothing(_found: re.Match[str], _masked: Masked) -> tuple[Intent, ...] | None:
    return ()


_STYLE_WORD = rf"(?P<style>bold(?:ed)?|italics?|italici[sz]ed|underlined?|{'|'.join(COLOURS)})"
_PROBLEM = (
    r"(?:\w+\s+){0,2}?(?:problem|sum|equation|exercise|expression|calculation|arithmetic|maths?|question)"
)
_SHOWN = r"(?:\s+(?:that is\s+)?(?:shown\s+|given\s+)?(?:below|above|here|on (?:the|this) (?:page|screen)))?"
_EQUATION = r"[-+*/x\d\w.() ×÷−]*\d?\s*[a-z]?\s*=\s*[-+*/\d\w.() ×÷−]+"

RULES: tuple[Rule, ...] = (
    _rule(rf"{_ENTER}\s+{_PART}\s+into\s+(?P<into>.+)", _part_typed),
    _rule(rf"{_ENTER}\s+{_PART}{_INTO}", _part_typed),
    _rule(rf"{_READ}\s+(?:out\s+)?{_PART}", _part),
    _rule(r"(?:enter|fill in|fill out|type|put|copy|write|input|complete)\s+(?:in\s+)?(?:the\s+)?(?:right\s+|matching\s+|correct\s+)?"
          r"(?:values?|data|entry|entries|information|details)\s+(?:that\s+)?(?:corresponds?|corresponding|match(?:es|ing)?|belong(?:s|ing)?|for|of)\s+"
          r"(?:(?:with|to)\s+)?(?:each|every|all|the)\b.*?\s(?:in|into|in to|to)\s+(?:the\s+|each\s+|its\s+)?(?:form|fields?|boxes|box|inputs?)", _fill_all),
    _rule(r"(?:fill (?:in|out)|complete)\s+(?:the\s+)?(?:form|fields|boxes)\s+(?:with|using|from)\s+(?:the\s+)?(?:values?|data|entries|information|contents?)?\s*"
          r"(?:in|from|of)?\s*(?:the\s+)?table(?:\s+(?:above|below))?", _fill_all),
    _rule(rf"{_ENTER}\s+{_VALUE}\s+into\s+(?P<into>.+)", _value_typed),
    _rule(rf"{_ENTER}\s+{_VALUE}{_INTO}", _value_typed),
    _rule(rf"(?:find|look up|get|note|remember|determine|find out)\s+(?:out\s+)?{_VALUE}", _value),
    _rule(r"copy\s+(?:all\s+)?(?:of\s+)?(?:the\s+)?(?:text|contents?|words|value|everything)\s+(?:that is\s+)?(?:in|from|of|inside|out of)\s+(?P<obj>.+)", _copy),
    _rule(rf"copy\s+(?P<obj>(?:the|this)\s+(?:\S+\s+){{0,3}}?{_TEXTS}(?:\s+(?:below|above))?)(?<!the text)", _copy),
    _rule(rf"(?:solve|work out|calculate|compute|answer|do|figure out|find the (?:answer|solution) (?:to|of))\s+(?:the|this|that)\s+{_PROBLEM}{_SHOWN}(?:\s+for\s+[a-z])?", _solve),
    _rule(r"(?:solve(?: for)?|(?:find|work out|determine) the value of)\s+[a-z]", _solve),
    _rule(rf"(?:solve|work out)\s+(?:the\s+equation\s+)?(?P<problem>{_EQUATION})(?:\s+for\s+[a-z])?", _solve),
    _rule(r"(?:mark|label|classify|sort|tag|flag|categori[sz]e|identify)\s+(?:each|every|all|the)?\s*(?:of\s+)?(?:the\s+)?numbers?" + _SHOWN
          + r"(?:\s+(?:in|of|on) the (?:list|table|page))?\s+(?:as|into|to be|by whether (?:it is|they are))\s+(?:either\s+)?(?P<names>\w+(?:\s*,\s*\w+)*,?\s+or\s+\w+)", _sort),
    _rule(r"for (?:each|every) (?:of the )?numbers?\b[^,]*,?\s+(?:choose|select|pick|click|say|mark)\b.*?\s(?P<names>\w+\s+or\s+\w+)", _sort),
    _rule(r"guess\s+(?:the|a|my|which)\s+(?:\w+\s+)?number(?: is)?\s*,?\s+(?:that is\s+)?(?:between|from|in the range(?: of)?)\s+(?P<low>-?\d+)\s*(?:-|–|to|and|through)\s*(?P<high>-?\d+)", _guess),
    _rule(r"use the (?:feedback|hints?|clues?|help|answers?)\b.*", _nothing),
    _rule(r"(?:highlight|mark|select)\s+(?:all\s+)?(?:of\s+)?(?:the\s+)?(?:text|words|contents?)\s+(?:in|of|inside|from|within)\s+(?P<obj>(?:the\s+|this\s+)?(?:\S+\s+)?(?:paragraph|sentence|passage|line)s?(?:\s+.+)?)", _highlight),
    _rule(r"highlight\s+(?:all\s+)?(?:of\s+)?(?:the\s+)?(?:text|words|contents?)\s+(?:in|of|inside|from|within)\s+(?P<obj>.+)", _highlight),
    _rule(rf"(?:highlight|select)\s+the\s+(?:words?|phrase|text)\s+(?P<words>{QUOTED}|\S+)(?:\s+(?:in|of|from)\s+(?P<where>.+))?", _highlight_words),
    _rule(r"highlight\s+(?P<obj>(?:the|this)\s+.+)", _highlight),
    _rule(rf"(?:give|set)\s+(?P<obj>.+?)\s+(?:the\s+|a\s+|to\s+(?:the\s+)?)(?:styles?|colou?r|format(?:ting)?|font)?\s*(?:of\s+|to\s+)?{_STYLE_WORD}(?:\s+(?:style|colou?r|formatting|format|font))?", _style),
    _rule(rf"(?:make|turn|format|style|colou?r)\s+(?P<obj>.+?)\s+(?:(?:in|as|into|to)\s+)?(?:the\s+)?(?:colou?r\s+)?{_STYLE_WORD}", _style),
    _rule(rf"(?P<style>underline|embolden|bold|italici[sz]e)\s+(?P<obj>{_ALL}|(?:the\s+)?(?:words?|text|phrase|sentence)\s+.+|{QUOTED})", _style),
    _rule(r"scroll\s+(?:through\s+)?(?:the\s+)?(?P<over>\S.*?)\s+(?:all the way\s+)?(?:down |up )?to\s+(?:the\s+|its\s+)?(?:very\s+)?(?P<end>top|bottom|end|beginning|start)(?:\s+of\s+(?:the|its|this)\s+\w+)?", _scroll_end),
)  # fmt: skip
