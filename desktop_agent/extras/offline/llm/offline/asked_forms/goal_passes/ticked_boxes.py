"""Ticks or clears the boxes whose words a goal says, and answers choices of yes and no."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from desktop_agent.extras.offline.llm.offline.asked_forms.form_in_sight import FormField, bare_label
from desktop_agent.extras.offline.llm.offline.asked_forms.form_vocabulary import alike
from desktop_agent.extras.offline.llm.offline.asked_forms.label_words import (
    choice_words,
    is_unset,
    is_yes_no,
    label_words,
    says_choice,
)
from desktop_agent.extras.offline.llm.offline.asked_forms.reading_state import ReadingState
from desktop_agent.extras.offline.llm.offline.asked_forms.word_runs import choice_run


def tick_said_boxes(state: ReadingState) -> None:
    """Boxes whose words are said, with what is said against them; groups of yes and no likewise."""
    named = [
        (number, choice_words(bare_label(name)))
        for number, field in enumerate(state.fields)
        for name in _names_of_box(state, number, field)
    ]
    counted = Counter(word for _, words in named for word in set(words))
    for number, words in sorted(named, key=lambda each: -len(each[1])):
        _tick_box(state, number, words, [w for w in words if counted[w] == 1 and len(w) > 2])


def _names_of_box(state: ReadingState, number: int, field: FormField) -> list[str]:
    """What a box, or a choice of yes and no without a value, is called; nothing for any other field."""
    if field.kind == "box":
        return [field.label, *([field.group] if field.group else [])]
    if field.kind in ("radio", "list") and is_yes_no(field) and number not in state.placed:
        return [field.label]
    return []


def _tick_box(state: ReadingState, number: int, words: Sequence[str], telling: Sequence[str]) -> None:
    """Place what is said of a box wherever one of the words stands that tell it from other boxes (`telling`)."""
    field = state.fields[number]
    while number not in state.placed or state.placed[number].on is not None:
        hits = [
            at for at in range(len(state.goal)) if any(says_choice(state.goal, at, each) for each in telling)
        ]
        hits = [at for at in hits if not _is_of_another_field(state, at, number)]
        if not hits:
            return
        start, end = choice_run(state, hits[0], words)
        answered = _answer_behind(state, end)
        on = not _is_denied(state, start, end) if answered is None else answered
        if field.kind != "box":
            value = next(c for c in field.choices if alike(label_words(c)[0], "yes" if on else "no"))
            if state.place(number, value):
                state.goal.claim(start, end, "box")
            return
        if not state.place(number, on=on):
            return
        state.goal.claim(start, end, "box")
        _claim_around(state, start, end)


def _answer_behind(state: ReadingState, at: int) -> bool | None:
    """What “: yes” or “= nein” right behind a name says; None where nothing like it follows."""
    cues = state.words.cues
    said = state.low(at + 1)
    if state.low(at) not in (":", "=", "is", "ist", "to", "auf") or said not in cues["yes"] | cues["no"]:
        return None
    state.goal.claim(at, at + 2, "box")
    return said in cues["yes"]


def _is_of_another_field(state: ReadingState, at: int, number: int) -> bool:
    """Does the word begin a choice of another field, one that has choices of a single word?"""
    return any(
        field.kind in ("list", "radio")
        and other != number
        and any(
            says_choice(state.goal, at, w)
            for choice in field.choices
            if not is_unset(choice)
            for w in choice_words(choice)[:1]
        )
        and any(len(choice_words(choice)) == 1 for choice in field.choices)
        for other, field in enumerate(state.fields)
        if not is_yes_no(field)
    )


def _is_denied(state: ReadingState, start: int, end: int) -> bool:
    """Is something said against it: “no …”, “I don't want …”, “… nicht”, “untick …”?"""
    first, last = state.goal.clause(start)
    denied = False
    for at in range(first, start):
        if state.goal.claimed[at] and state.goal.claimed[at] != "denied":
            denied = False
        elif state.low(at) in state.words.verbs["denied"] | state.words.verbs["untick"] and not (
            state.low(at) == "noch" and not denied
        ):
            state.goal.claim(at, at + 1, "denied")
            denied = True
        elif state.low(at) in ("and", "und", "with", "mit") and denied and not _denial_goes_on(state, at):
            denied = False
    for at in range(end, min(last, end + 5)):
        if state.goal.claimed[at]:
            break
        if state.low(at) in state.words.cues["denied_behind"]:
            state.goal.claim(at, at + 1, "denied")
            return True
        if state.low(at) in ("and", "und"):
            break
    return denied


def _denial_goes_on(state: ReadingState, at: int) -> bool:
    """After “no newsletter and” a word for a wish begins something else."""
    return not any(
        state.low(i) in state.words.cues["wishes"] for i in range(at, min(at + 3, len(state.goal)))
    )


def _claim_around(state: ReadingState, start: int, end: int) -> None:
    """Words for ticking around a box that was named."""
    first, last = state.goal.clause(start)
    around = state.words.verbs["tick"] | state.words.verbs["agree"]
    for side in (range(start - 1, first - 1, -1), range(end, last)):
        for at in side:
            if state.low(at) in ("and", "und") or (
                state.goal.claimed[at] and state.goal.claimed[at] != "denied"
            ):
                break
            if not state.goal.claimed[at] and state.low(at) in around:
                state.goal.claim(at, at + 1, "box")
