"""Claims what a goal says of the whole: words about quotation marks, conditions, and that nothing is to be sent."""

from __future__ import annotations

import re

from desktop_agent.extras.offline.llm.offline.asked_forms.reading_state import ReadingState

_WITHOUT_QUOTES = re.compile(
    r"\(?\s*(?:without|minus|no|not including|ohne|excluding)\s+(?:the\s+|die\s+)?(?:quotes|quotation marks|quote marks|anführungszeichen|anführungsstriche|gänsefüßchen)\s*\)?",
    re.I,
)
_COMPLAINS = re.compile(
    r"(?:if|when|should|in case|falls|wenn|sollte|sofern)\s+(?:it|the\s+\w+|they|something|anything|es|das\s+\w+|die\s+\w+|etwas|was|noch\s+etwas)\b[^.:;]{0,50}?"
    r"(?:missing|required|needed|empty|complains?|lacking|wanting|fehlt|fehlen|verlangt|meckert|beschwert|gefordert|nötig|leer|pflicht\w*|beanstandet)[^.:;,]{0,40}[:,.;]?",
    re.I,
)
_GUARD = re.compile(
    r"(?:if|in case|should|wenn|falls|sollte|sofern|unless|without|ohne|only if|nur wenn)\b[^.;!]*?"
    r"(?:\b(?:no|not|nothing|n't|don't|doesn't|isn't|can't|cannot|unavailable|sold out|gone|full|taken|missing|without|unless|nicht|nichts|kein\w*|ausgebucht|vergriffen|belegt|fehlt|ohne)\b)[^.;!]*?"
    r"(?:\b(?:don't|do not|not|nothing|stop|leave it|no|nicht|nichts|gar nichts|kein\w*|lass|never)\b)[^.;!]*",
    re.I,
)
_NEED = re.compile(r"\b(?:it|that|this|das|es)\s+(?:has to|must|muss|soll)\s+(?:be|sein)\b", re.I)
_UNSENT = re.compile(
    r"(?:(?:please\s+)?(?:do not|don't|but not|not)\s+(?:\w+\s+){0,2}?(?:send|submit|save|press|click|order|book)\b[^.;,]*|(?:aber\s+|bitte\s+|noch\s+)*(?:nicht|nichts)\s+(?:\w+\s+){0,2}?(?:absenden|abschicken|senden|speichern|klicken|schicken)\b[^.;,]*|without\s+(?:sending|submitting|saving)\b[^.;,]*|ohne\s+(?:\w+\s+)?(?:abzuschicken|abzusenden|zu\s+senden|zu\s+speichern)[^.;,]*)",
    re.I,
)


def take_asides(state: ReadingState) -> None:
    """Words about quotation marks; conditions that hold as nothing is done unless all of it can be."""
    list(state.claim_matches(_WITHOUT_QUOTES, "aside"))
    list(state.claim_matches(_COMPLAINS, "aside"))
    for _ in state.claim_matches(_UNSENT, "unsent"):
        state.unsent = True
    for found in _GUARD.finditer(state.goal.masked.text):
        span = state.goal.span(*_trimmed_span(found))
        if span and state.goal.free(*span) and not _holds_value(state, *span):
            state.goal.claim(*span, "guard")
    list(state.claim_matches(_NEED, "guard"))


def _trimmed_span(found: re.Match[str]) -> tuple[int, int]:
    return found.start(), found.start() + len(found[0].rstrip())


def _holds_value(state: ReadingState, start: int, end: int) -> bool:
    """Is something said there that may be a value: a quotation, a number, an address, another choice (“take …”)?"""
    words = state.goal.words[start:end]
    if any(each.is_quoted or re.search(r"\d|@", each.text) for each in words):
        return True
    return any(each.low in state.words.cues["instead"] for each in words)
