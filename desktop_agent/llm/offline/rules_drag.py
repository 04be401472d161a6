"""Clauses about putting things in place by hand: drag, sort, resize, highlight."""

from __future__ import annotations

import re
from typing import cast

from desktop_agent.llm.offline import figures, words
from desktop_agent.llm.offline.intents import Drag, Intent
from desktop_agent.llm.offline.intents_hand import Arrange, Gather, Place, Resize, Shift, Way
from desktop_agent.llm.offline.phrase import phrase
from desktop_agent.llm.offline.quoting import Masked
from desktop_agent.llm.offline.rules_text import Rule, _rule


def _shift(found: re.Match[str], masked: Masked) -> tuple[Intent, ...]:
    said = found["by"] or ""
    places = int(words.number(said) or 0) if said else 0
    return (Shift(phrase(found["obj"], masked), cast(Way, found["way"].lower()), places),)


def _place(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    what = phrase(found["obj"], masked)
    number = words.ordinal(found["nth"]) if found["nth"] else int(found["n"] or 0)
    return (Place(what, number=number),) if number else None


def _corner(found: re.Match[str], masked: Masked) -> tuple[Intent, ...]:
    corner = " ".join(
        found["corner"]
        .lower()
        .replace("-", " ")
        .replace("middle", "center")
        .replace("centre", "center")
        .split()
    )
    return (Place(phrase(found["obj"], masked), corner=corner),)


def _gather(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    what = phrase(found["obj"], masked)
    return (Gather(what, phrase(found["onto"], masked)),) if figures.wanted(what.spoken) else None


def _rest(found: re.Match[str], masked: Masked) -> tuple[Intent, ...]:
    return (Gather(phrase("items", masked), phrase(found["onto"], masked), rest=True),)


def _inside(found: re.Match[str], masked: Masked) -> tuple[Intent, ...]:
    return (Drag(phrase(found["obj"], masked), phrase(found["onto"], masked)),)


def _sort(found: re.Match[str], _masked: Masked) -> tuple[Intent, ...]:
    return (Arrange(down=bool(re.match(r"de|large|high|bigg", found["order"], re.I))),)


def _resize(found: re.Match[str], masked: Masked) -> tuple[Intent, ...]:
    side = "height" if found["side"].lower() == "height" else "width"
    larger = bool(re.match(r"larg|big|great|more|increas", found["how"], re.I))
    return (Resize(phrase(found["obj"], masked), side, larger),)  # type: ignore[arg-type]


def _make(found: re.Match[str], masked: Masked) -> tuple[Intent, ...]:
    how = found["how"].lower()
    side = "width" if how in ("wider", "broader", "narrower") else "height"
    return (Resize(phrase(found["obj"], masked), side, how in ("wider", "broader", "taller", "higher")),)  # type: ignore[arg-type]


_DRAG = r"(?:drag(?: and drop)?|move|pull|shift|slide|push)"
_NTH = words.ORDINAL
_SPOT = r"(?:(?:top|bottom|cent(?:er|re)|middle|upper|lower)(?:[- ](?:left|right|cent(?:er|re)|middle))?|left|right)"
_BIGGER = r"(?P<how>larger|bigger|greater|smaller|less|lower)"

RULES: tuple[Rule, ...] = (
    _rule(rf"{_DRAG}\s+(?P<obj>.+?)\s+(?:in)?to\s+(?:the\s+)?(?:(?P<nth>{_NTH})\s+(?:position|place|slot|spot|row)|(?:position|place|slot|spot|row)\s+(?:number\s+)?#?(?P<n>\d{{1,2}}))(?:\s+(?:of|in)\s+the\s+list)?", _place),
    _rule(rf"{_DRAG}\s+(?P<obj>.+?)\s+(?:in)?to\s+the\s+(?P<corner>{_SPOT})(?:\s+(?:corner|cell|square|position|place))?(?:\s+of\s+the\s+(?:list|grid|table))?", _corner),
    _rule(rf"{_DRAG}\s+(?P<obj>.+?)\s+(?:to\s+the\s+)?(?P<way>left|right|up|down)(?:wards?)?(?:\s+by\s+(?P<by>{words.NUMBER})(?:\s+(?:positions?|places?|slots?|rows?|spots?|steps?|cells?))?)?", _shift),
    _rule(rf"(?:{_DRAG}|put|place)\s+(?:all|every|each)\s+(?:of\s+)?(?P<obj>.+?)\s+(?:in(?:side|to)?|onto|to|on)\s+(?P<onto>.+)", _gather),
    _rule(rf"(?:(?:{_DRAG}|put|place)\s+)?(?:everything else|all (?:the )?(?:others?|rest|other (?:ones|shapes|items|figures|things))|the (?:rest|others|remaining \S+))\s+(?:in(?:side|to)?|onto|to|on)\s+(?P<onto>.+)", _rest),
    _rule(rf"{_DRAG}\s+(?P<obj>.+?)\s+so\s+(?:that\s+)?(?:it|they)\s+(?:is|are|lies?)\s+(?:completely\s+|fully\s+|entirely\s+|wholly\s+)?(?:inside|in|within|on|over|on top)(?:\s+of)?\s+(?P<onto>.+)", _inside),
    _rule(r"(?:sort|order|arrange)\s+(?:the\s+|these\s+|all\s+)*(?:numbers|items|entries|list|cards|rows)\b.*?\b(?:in|from)\s+(?P<order>ascending|increasing|rising|descending|decreasing|falling|lowest|smallest|least|largest|highest|biggest)\b.*", _sort),
    _rule(rf"(?:resize|change|drag|stretch)\s+(?P<obj>.+?)\s+so\s+(?:that\s+)?(?:the|its)\s+(?P<side>width|height|size)\s+(?:is|becomes|gets)\s+{_BIGGER}\b.*", _resize),
    _rule(r"(?:make|drag|resize|stretch)\s+(?P<obj>.+?)\s+(?:to be\s+|to make it\s+)?(?P<how>wider|broader|narrower|taller|higher|shorter|lower)", _make),
)  # fmt: skip
