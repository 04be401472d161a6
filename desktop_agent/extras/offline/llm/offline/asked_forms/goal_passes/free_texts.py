"""Places sentences in the only field for free text: introduced by “tell them that”, in quotation marks, or behind a colon."""

from __future__ import annotations

import re

from desktop_agent.extras.offline.llm.offline.asked_forms.form_vocabulary import alike
from desktop_agent.extras.offline.llm.offline.asked_forms.reading_state import ReadingState
from desktop_agent.extras.offline.llm.offline.asked_forms.word_runs import names_choice

_INTRODUCED = re.compile(
    r"(?:(?:tell|let)\s+them\s+(?:know\s+)?(?:that\s+)?|saying\s+(?:that\s+)?|say:\s*|(?:with|add|leave|as|mit|als)\s+(?:the|a|this|der|dem|einer|einem|die|the\s+following|folgender|folgendem)?\s*(?:message|note|remark|comment|text|nachricht|bemerkung|anmerkung|hinweis|kommentar|notiz)\s*:?\s+|(?:message|note|remark|comment|nachricht|bemerkung|anmerkung|hinweis|kommentar)\s*:\s*|und\s+zwar:\s*|(?:tell|ask|inform)\s+(?:the|my|our|your)\s+\w+(?:\s+that)?:?\s+|(?:schreibe?|notiere?|write|add|put|note|füge|vermerke?|sage?)\s+(?:\w+\s+){0,4}?(?:dazu|hinzu|down|there|below|in|an)?:\s+)",
    re.I,
)


def place_introduced_text(state: ReadingState) -> None:
    """“tell them that …”, “with the note …”: a text for the one field that takes texts."""
    fields = [
        i
        for i, f in enumerate(state.fields)
        if i not in state.placed and (f.kind == "area" or state.takes[i][:1] == ("message",))
    ]
    if len(fields) != 1:
        return
    for found in _INTRODUCED.finditer(state.goal.masked.text):
        at = next((i for i, w in enumerate(state.goal.words) if w.start >= found.end()), None)
        lead = state.goal.span(found.start(), found.start() + len(found[0].rstrip()))
        if at is None or lead is None or not state.goal.free(*lead):
            continue
        _, end = state.goal.sentence(at)
        if state.goal.words[at].is_quoted:
            end = at + 1
        elif not state.goal.free(at, end) or not found[0].rstrip().endswith(":"):
            continue
        state.put(fields[0], state.goal.text(at, end))
        state.goal.claim(lead[0], end, "value")
        return


def place_quotation(state: ReadingState) -> None:
    """A quotation that nothing else took: a sentence goes into the only field for texts of many lines, a title where one is asked for."""
    areas = [i for i, f in enumerate(state.fields) if f.kind == "area" and i not in state.placed]
    titles = state.empty_for("work")
    left = [i for i, word in enumerate(state.goal.words) if word.is_quoted and not state.goal.claimed[i]]
    if len(left) != 1:
        return
    text = state.goal.text(left[0], left[0] + 1)
    sentence = (
        state.goal.words[left[0] - 1].text == ":" or text.endswith((".", "!", "?")) or len(text.split()) > 3
    )
    fields = areas if sentence else titles
    if len(fields) == 1:
        state.put(fields[0], text)
        state.goal.claim(left[0], left[0] + 1, "value")


def place_sentence_behind_colon(state: ReadingState) -> None:
    """“A question: do you open on Sundays?”: a sentence behind a colon whose words nothing took, for the only field for texts."""
    fields = [i for i, f in enumerate(state.fields) if f.kind == "area" and i not in state.placed]
    for at, word in enumerate(state.goal.words):
        if word.text != ":" or state.goal.claimed[at] or not at or len(fields) != 1:
            continue
        _, end = state.goal.sentence(at)
        if names_choice(state, at + 1, end):
            continue
        about = state.goal.claimed[at - 1] == "choice" or any(
            alike(state.low(at - 1), each) for each in state.words.cues["about"]
        )
        if (
            about
            and end - at > 3
            and state.goal.free(at, end)
            and state.goal.words[end - 1].text in (".", "!", "?")
        ):
            state.put(fields[0], state.goal.text(at + 1, end))
            state.goal.claim(at, end, "value")
            return
