"""Finds how far a run of words in a goal goes: a name in capitals, the words of one choice, what is refused."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_agent.extras.offline.llm.offline.asked_forms.form_vocabulary import alike
from desktop_agent.extras.offline.llm.offline.asked_forms.label_words import choice_words, says_choice
from desktop_agent.extras.offline.llm.offline.asked_forms.reading_state import ReadingState


def capitals_end(state: ReadingState, at: int, most: int) -> int:
    """The end of a run of words with capitals from there on; particles between them count."""
    end = here = at
    found = 0
    while here < len(state.goal) and found <= most and not state.goal.claimed[here]:
        said = state.goal.words[here]
        if re.match(r"[A-ZÄÖÜÉÈØÅŁŚŽČ]", said.text) and not re.search(r"\d|@", said.text):
            end = here + 1
            found += 1
        elif (said.low in state.words.people["particles"] and here > at) or (
            said.text == "." and here - 1 >= at and state.low(here - 1) in state.words.people["titles"]
        ):
            pass
        else:
            break
        if here in state.goal.ends:
            break
        here += 1
    return end


def choice_run(state: ReadingState, at: int, words: Sequence[str]) -> tuple[int, int]:
    """The run of words around one that say the same name, small words between included."""
    start, end = at, at + 1
    _, stop = state.goal.sentence(at)
    here = end
    while here < stop and here - end < 4 and not state.goal.claimed[here]:
        if any(says_choice(state.goal, here, each) for each in words):
            end = here + 1
        elif (
            state.goal.words[here].is_sign and state.goal.words[here].text not in ("(", ")", "/", "&")
        ) or state.low(here) not in state.words.little:
            break
        here += 1
    here = start - 1
    while here >= state.goal.sentence(at)[0] and start - here < 3 and not state.goal.claimed[here]:
        if any(says_choice(state.goal, here, each) for each in words):
            start = here
        elif state.low(here) not in state.words.little or state.goal.words[here].is_sign:
            break
        here -= 1
    return start, end


def names_choice(state: ReadingState, start: int, end: int) -> bool:
    """Does one of the words say a choice of any field?"""
    words = [state.low(i) for i in range(start, end)]
    return any(
        any(alike(word, each) for each in choice_words(choice) for word in words)
        for field in state.fields
        for choice in field.choices
    )


def is_refused(state: ReadingState, at: int) -> bool:
    """Is it said that this is not wanted? Such a choice is none."""
    first, _ = state.goal.clause(at)
    return any(
        state.low(i) in state.words.verbs["denied"] and not state.goal.claimed[i]
        for i in range(max(first, at - 4), at)
    )
