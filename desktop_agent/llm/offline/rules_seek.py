"""Clauses about looking for a thing where it does not show yet: tabs, sections, trees, and words that only lead there."""

from __future__ import annotations

import re

from desktop_agent.llm.offline.intents import Expand, Intent, Scroll
from desktop_agent.llm.offline.phrase import phrase
from desktop_agent.llm.offline.quoting import Masked
from desktop_agent.llm.offline.rules_text import Rule, _rule

_PARTS = r"(?:(?:browser )?tabs?|(?:file |folder |directory )?trees?|sections?|menus?|pages?|folders?|panels?|lists?|categories|options)"
_SEEKING = re.compile(
    rf"\b(?:find|locate|look (?:for|in|through)|navigate|browse|{_PARTS} (?:below|above)|switch(?:ing)? between)\b",
    re.I,
)


def seeks(goal: str) -> bool:
    """Does the instruction say that a thing has to be looked for?"""
    return bool(_SEEKING.search(goal))


def _lead(_found: re.Match[str], _masked: Masked) -> tuple[Intent, ...]:
    """Whoever clicks a thing looks for it anyhow."""
    return ()


def _find(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    return (
        Scroll(until=masked.literal(re.sub(r"^(?:the|an?)\s+", "", found["until"].strip(), flags=re.I))[0]),
    )


def _expand(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    what = phrase(found["obj"], masked)
    on = found["verb"].lower() in ("expand", "unfold", "uncollapse", "open up")
    return (Expand(what, on),) if what.spoken else None


_TO_FIND = (
    r"(?:,?\s+(?:in order\s+)?(?:to|and|until you)\s+(?:find|locate|see|look for|search for)(?:\s+it)?)"
)
_WHERE = r"(?:\s+(?:below|above|here|on (?:the|this) page))?"

FIRST: tuple[Rule, ...] = (
    _rule(rf"(?:switch|go|move|look|flip|click|cycle|step|browse|navigate|search|page)\s+(?:between|through|around|among|inside|in)\s+(?:the\s+|all\s+|different\s+|various\s+)*{_PARTS}{_WHERE}{_TO_FIND}?", _lead),
    _rule(rf"(?:switch|go|move|look|flip|click|cycle|step|browse|navigate|search|page)\s+(?:between|through|around|among)\s+(?:the\s+|all\s+)*{_PARTS}{_WHERE}{_TO_FIND}\s+(?P<until>.+)", _find),
    _rule(rf"(?:expand|open|unfold)\s+(?:the\s+|all\s+|some\s+)*(?:(?:sections|folders|panels|categories|menus|tabs)|\S+{_WHERE}(?={_TO_FIND})){_WHERE}{_TO_FIND}?", _lead),
    _rule(r"(?:in order\s+)?(?:to\s+)?(?:find|locate|look for)(?:\s+it)?", _lead),
    _rule(r"(?:starting|beginning)\s+(?:with|from|at)\s+.+", _lead),
    _rule(r"(?P<verb>expand|unfold|uncollapse|collapse|fold|open up)\s+(?P<obj>.+?)(?:\s+(?:below|above))?", _expand),
)  # fmt: skip
