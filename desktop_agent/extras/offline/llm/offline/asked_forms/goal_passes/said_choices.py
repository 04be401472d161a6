"""Places the choices of lists and radio groups whose words a goal says, and how many of them it asks for."""

from __future__ import annotations

from dataclasses import dataclass

from desktop_agent.extras.offline.llm.offline.asked_forms.field_values import fitting_value
from desktop_agent.extras.offline.llm.offline.asked_forms.form_in_sight import FormField
from desktop_agent.extras.offline.llm.offline.asked_forms.form_vocabulary import alike, number_of
from desktop_agent.extras.offline.llm.offline.asked_forms.label_words import (
    choice_words,
    is_unset,
    is_yes_no,
    label_words,
    says_choice,
)
from desktop_agent.extras.offline.llm.offline.asked_forms.reading_state import ReadingState
from desktop_agent.extras.offline.llm.offline.asked_forms.word_runs import choice_run, is_refused


@dataclass(frozen=True)
class SaidChoice:
    """A choice of the field of that number whose words stand from `start` to `end`; a higher score fits better."""

    field: int
    choice: str
    score: float
    start: int
    end: int


def place_said_choices(state: ReadingState) -> None:
    """Choices whose words are said: of a field the one that fits best, where no other fits as well."""
    ranked = [
        said
        for number, field in enumerate(state.fields)
        if field.kind in ("list", "radio") and number not in state.placed and not is_yes_no(field)
        for said in _said_choices(state, number)
    ]
    for each in sorted(ranked, key=lambda each: -each.score):
        if each.field in state.placed:
            continue
        now = _said_choices(state, each.field)  # a choice before it may have taken its words
        same = next((said for said in now if said.choice == each.choice), None)
        rivals = any(said.choice != each.choice and said.score >= each.score for said in now)
        if same is not None and same.score >= each.score and not rivals:
            _place_choice(state, same)


def _place_choice(state: ReadingState, said: SaidChoice) -> None:
    """Place the choice, with how many of it are asked for, and claim its words."""
    state.put(said.field, said.choice)
    _number_before(state, said.start, said.choice)
    for at in range(said.start, said.end):
        if (
            any(says_choice(state.goal, at, each) for each in label_words(said.choice))
            or state.low(at) in state.words.little
        ):
            state.goal.claim(at, at + 1, "choice")


def _number_before(state: ReadingState, start: int, choice: str) -> None:
    """“Two rain jackets”: how many of a choice, where one field asks for a number of things."""
    fields = [
        i
        for i, kinds in enumerate(state.takes)
        if kinds[:1] == ("count",) and i not in state.placed and state.fields[i].kind in ("text", "list")
    ]
    if len(fields) != 1 or any(number_of(each) is not None for each in label_words(choice)):
        return
    for at in range(start - 1, max(-1, start - 3), -1):
        if at < 0 or state.goal.claimed[at] or state.goal.words[at].is_sign:
            return
        number = number_of(state.goal.words[at].text)
        if number is not None and state.low(at) not in state.words.joins["one"] | {"single"}:
            value = fitting_value(state.fields[fields[0]], str(number))
            if value is not None:
                state.put(fields[0], value)
                state.goal.claim(at, at + 1, "value")
            return


def _said_choices(state: ReadingState, number: int) -> list[SaidChoice]:
    """The choices of a field whose words are said and not refused, each where it fits best."""
    field = state.fields[number]
    common = [word for choice in field.choices for word in set(choice_words(choice))]
    found = []
    for choice in field.choices:
        words = choice_words(choice)
        if is_unset(choice) or not words:
            continue
        telling = [
            each
            for each in words
            if common.count(each) == 1
            and (len(each) > 1 or not each.isdigit())
            and (number_of(each) is None or len(words) > 1 or _has_choice_in_words(field))
        ]
        best: SaidChoice | None = None
        for at in range(len(state.goal)):
            if not any(_says(state, at, each, field) for each in telling):
                continue
            start, end = choice_run(state, at, label_words(choice))
            if is_refused(state, start):
                continue
            hits = sum(any(says_choice(state.goal, i, each) for i in range(start, end)) for each in words)
            exact = sum(any(state.low(i) == each for i in range(start, end)) for each in words)
            score = hits / len(words) + 0.3 * exact / len(words) + 0.05 * hits
            if best is None or score > best.score:
                best = SaidChoice(number, choice, score, start, end)
        if best is not None:
            found.append(best)
    return found


def _has_choice_in_words(field: FormField) -> bool:
    """Is one of the choices no mere number?"""
    return any(number_of(each) is None for each in field.choices)


def _says(state: ReadingState, at: int, word: str, field: FormField) -> bool:
    """Does the word say one of a choice? A mere number says one only beside another word of it or of the label."""
    if not says_choice(state.goal, at, word):
        return False
    if number_of(word) is None:
        return True
    beside = [
        *label_words(field.label),
        *(w for each in field.choices for w in label_words(each) if number_of(w) is None),
        *state.words.cues["points"],
    ]
    near = [i for i in range(at - 1, at + 4) if i != at and 0 <= i < len(state.goal)]
    return state.low(at) not in state.words.joins["one"] and any(
        alike(state.low(i), w) for i in near for w in beside
    )
