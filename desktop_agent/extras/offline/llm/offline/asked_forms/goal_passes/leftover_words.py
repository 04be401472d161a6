"""Tells which words of a goal were taken for nothing, those that say nothing apart."""

from __future__ import annotations

import re

from desktop_agent.extras.offline.llm.offline.asked_forms.form_vocabulary import alike
from desktop_agent.extras.offline.llm.offline.asked_forms.label_words import label_words, sends_nothing
from desktop_agent.extras.offline.llm.offline.asked_forms.reading_state import ReadingState


def leftover_words(state: ReadingState) -> tuple[str, ...]:
    """The words that were taken for nothing, those that say nothing apart."""
    shown = _shown_words(state)
    for number in state.placed:  # “born on …”: words for what was placed
        shown |= {
            w
            for kind in state.takes[number][:1]
            for name in state.words.names[kind]
            for w in label_words(name)
            if len(w) > 2
        }
    left = []
    for i, word in enumerate(state.goal.words):
        if state.goal.claimed[i] or word.is_sign or word.low in state.words.little:
            continue
        if (
            not word.is_quoted
            and not re.search(r"\d", word.text)
            and any(alike(word.low, each) for each in shown)
        ):
            continue
        if _is_reason(state, i) or re.sub(r"'(?:ll|ve|re|d|s|m)$", "", word.low) in state.words.little:
            continue
        left.append(state.goal.text(i, i + 1))
    return tuple(left)


def _shown_words(state: ReadingState) -> set[str]:
    """Words of labels, headings and buttons; those of choices and of long texts are none."""
    texts = [each for each in state.form.texts if len(each.split()) <= 6]
    labels = [each.label for each in state.fields if each.kind != "box"]
    buttons = [each for each in state.form.buttons if not sends_nothing(each)]
    words = {word for text in (*texts, *labels, *buttons) for word in label_words(text)}
    choices = {word for field in state.fields for choice in field.choices for word in label_words(choice)}
    boxes = {word for field in state.fields if field.kind == "box" for word in label_words(field.label)}
    return {
        each for each in words - choices - boxes if len(each) > 2 and each not in state.words.verbs["denied"]
    }


def _is_reason(state: ReadingState, at: int) -> bool:
    """Is it part of a reason for something that was placed: “she is …, therefore …”, “because …”?"""
    start, end = state.goal.sentence(at)
    for here in range(at, end):
        if state.low(here) in state.words.cues["therefore"]:
            return any(state.goal.claimed[i] for i in range(here, end))
    for here in range(start, at):
        if state.low(here) in state.words.cues["because"]:
            clause = state.goal.clause(here + 1)
            return clause[0] <= at < clause[1] and not any(
                w.is_quoted or re.search(r"\d", w.text) for w in state.goal.words[clause[0] : clause[1]]
            )
    return False
