"""Clauses that read something and use it; lists scrolled to their end; and what looks like an everyday step and is none."""

from __future__ import annotations

import re
from functools import partial

from desktop_agent.llm.offline import words
from desktop_agent.llm.offline.intents import CopyText, Intent, Read, Scroll, TypeText, Unknown
from desktop_agent.llm.offline.phrase import phrase
from desktop_agent.llm.offline.quoting import Masked
from desktop_agent.llm.offline.rules_text import Rule, _rule, place

_POINTING = re.compile(
    r"\s+(?:shown\s+|given\s+|just\s+)?(?:below|above|here|(?:on|in) (?:the|this) (?:page|screen))$", re.I
)
_VALUE = r"(?:the\s+)?(?:value|contents?|amount|number|text|entry|data|cell)\s+(?:of|for|in|from|beside|next to|under|at)\s+(?P<where>.+?)"
_ENTER = r"(?:type|enter|write|put|input|copy|insert|place|key in)"
_INTO = r"\s+(?:into|in|to)\s+(?P<into>(?:the|a|an|this)\s+.+)"
_CORNER = r"(?:top|bottom|middle|cent(?:er|re)|upper|lower|left|right)"
# Words that another rule would take for a name or for a text to type.
_REFUSED = (
    (
        rf"[a-z]+(?:\s+(?:out|on|up|down))?\s+(?:the\s+)?{words.ORDINAL}\s+(?:word|letter|character|sentence|number)\s+(?:that is\s+)?(?:in|of|from|on|inside|within)\s+.+",
        "I can read a text, but not pick a part of it by its number. Which words do you mean?",
    ),
    (
        r"(?:highlight|mark|select)\s+(?:all\s+)?(?:of\s+)?(?:the\s+)?(?:text|words?)\s+(?:in|of|inside|from|within)\s+(?:the\s+|this\s+)?(?:\S+\s+)?(?:paragraph|sentence|passage|line)s?(?:\s+.+)?",
        "I cannot select a part of a text.",
    ),
    (
        r"(?:enter|type|put|copy|write|input|fill in)\s+(?:in\s+)?(?:the\s+)?(?:right\s+|matching\s+|correct\s+)?(?:values?|data|entry|entries|information)\s+(?:that\s+)?(?:correspond|match|belong).*",
        "I do not know which value belongs where. Which field shall say what?",
    ),
    (
        r"(?:mark|label|classify|tag|flag|check|choose|select)\s+(?:(?:each|every|all|the)\s+)+\S+.*\s(?:as|into|whether)\s+.*\w+\s+or\s+\w+",
        "I cannot judge that by myself. Which ones shall be marked, and how?",
    ),
    (
        rf"(?:drag|move|pull|shift|slide|push)\s+.+?\s+(?:in)?to\s+(?:the\s+)?(?:{words.ORDINAL}\s+(?:position|place|slot|spot)|(?:position|place|slot|spot)\s+\S+|{_CORNER}(?:[- ]{_CORNER})?(?:\s+(?:corner|cell|position))?(?:\s+of\s+.+)?)(?:\s+(?:of|in)\s+.+)?",
        "I can drag one thing onto another, but not to a place in a list. Onto what shall I drag it?",
    ),
)  # fmt: skip
_TEXTS = r"(?:paragraph|sentence|text ?area|text ?box|textarea|box|field|note|text|passage|line|word|phrase)"


def _refused(why: str, found: re.Match[str], masked: Masked) -> tuple[Intent, ...]:
    return (Unknown(masked.restore(found[0]), why),)


def _value_typed(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    read = Read(phrase(_POINTING.sub("", found["where"].strip()), masked))
    return (read, TypeText("", place(found["into"], masked), result=True))


def _copy(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    return (CopyText(phrase(_POINTING.sub("", found["obj"].strip()), masked)),)


def _scroll_end(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    over = masked.literal(_POINTING.sub("", found["over"].strip()))[0]
    if re.match(r"(?:up|down|left|right|all|page|window|screen|back)\b", over, re.I):
        return None
    up = found["end"].lower() in ("top", "beginning", "start")
    return (Scroll("up" if up else "down", unit="end", over=over),)


RULES: tuple[Rule, ...] = (
    *(_rule(pattern, partial(_refused, why)) for pattern, why in _REFUSED),
    _rule(rf"{_ENTER}\s+{_VALUE}\s+into\s+(?P<into>.+)", _value_typed),
    _rule(rf"{_ENTER}\s+{_VALUE}{_INTO}", _value_typed),
    _rule(r"copy\s+(?:all\s+)?(?:of\s+)?(?:the\s+)?(?:text|contents?|words|value|everything)\s+(?:that is\s+)?(?:in|from|of|inside|out of)\s+(?P<obj>.+)", _copy),
    _rule(rf"copy\s+(?P<obj>(?:the|this)\s+(?:\S+\s+){{0,3}}?{_TEXTS}(?:\s+(?:below|above))?)(?<!the text)", _copy),
    _rule(r"scroll\s+(?:through\s+)?(?:the\s+)?(?P<over>\S.*?)\s+(?:all the way\s+)?(?:down |up )?to\s+(?:the\s+|its\s+)?(?:very\s+)?(?P<end>top|bottom|end|beginning|start)(?:\s+of\s+(?:the|its|this)\s+\w+)?", _scroll_end),
)  # fmt: skip
