"""How well an element's looks fit what was said of it: a box of many lines, a text in the colour of a link."""

from __future__ import annotations

import re

from desktop_agent.extras.offline.llm.offline.intents import Phrase
from desktop_agent.extras.offline.llm.offline.marks import coloured, ink
from desktop_agent.vision.observation import Element, Observation

_MANY_LINES = re.compile(r"\b(?:text ?area|multi-?line)\b", re.I)
_TEXTS = frozenset(("static", "label", "text", "paragraph", "section"))


def looks(what: Phrase, element: Element, look: Observation) -> float:
    """Points for what the role does not tell."""
    if element.source != "tree":
        return 0.0
    if what.kind == "field":
        return 4.0 if bool(_MANY_LINES.search(what.spoken)) == ("multiline" in element.states) else 0.0
    if what.kind == "link" and element.role in _TEXTS:
        return 12.0 if coloured(ink(look, element.bounds)) else -6.0
    return 0.0
