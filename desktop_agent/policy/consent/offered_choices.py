"""Tells a choice that the user picked from words of the user's own.

A choice is the model's text, and may name what was read: picking it answers the question, but grants nothing. What
it then leads to is judged, and asked about, as before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from desktop_agent.policy.facts.confusables import fold
from desktop_agent.policy.facts.words.claim_words import claim_table
from desktop_agent.redaction.redactor import redactor

_MARKED = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_HIDDEN_PART = "{{}}"


def is_offered(answer: str, choices: Iterable[str]) -> bool:
    """Is the answer one of the choices to the letter? Blanks at its ends and what stands for secrets do not count."""
    said = _compared(answer)
    return any(_compared(each) == said for each in choices)


def picked_of(answer: str, choices: tuple[str, str]) -> str:
    """The one of two choices, a yes and a no, that was picked or is meant by a bare yes or no; "" for other words."""
    said, table = fold(answer).strip(" .!"), claim_table()
    picked = next((each for each in choices if fold(each) == said), "")
    return picked or (choices[0] if said in table.yes else choices[1] if said in table.no else "")


def _compared(text: str) -> str:
    """The text with all secrets alike: marked, plain, or as a stand-in, which an answer has for what a choice marks."""
    return _MARKED.sub(_HIDDEN_PART, redactor().clean(_MARKED.sub(_HIDDEN_PART, text))).strip()
