"""Places numbers by what they count: “four tickets”, “two of us”, “I'm 42”."""

from __future__ import annotations

import re

from desktop_agent.extras.offline.llm.offline.asked_forms.field_values import choice_called, fitting_value
from desktop_agent.extras.offline.llm.offline.asked_forms.form_vocabulary import number_of
from desktop_agent.extras.offline.llm.offline.asked_forms.label_words import mentions
from desktop_agent.extras.offline.llm.offline.asked_forms.reading_state import ReadingState

_OF_US = re.compile(
    r"(\w+)\s+of\s+us|(?:wir\s+sind|kommen|wir\s+kommen)\s+(?:zu\s+)?(\w+?)(?:\s+(?:personen|leute))?(?=\W|$)|zu\s+(zweit|dritt|viert|fünft|sechst)",
    re.I,
)
_AGED = re.compile(
    r"(?:i'm|i am|aged|age|bin|ist|is)\s+(\d{1,3})(?=\s*(?:[.,;!]|$|and\b|und\b|years?\b|jahre\b))|(\d{1,3})\s+(?:years?\s+old|jahre\s+alt|years?\s+of\s+age)",
    re.I,
)


def place_counted_things(state: ReadingState) -> None:
    """“four tickets”, “for six people”: a number right before what it counts."""
    for each in mentions(state.goal, state.fields):
        field = state.fields[each.field]
        at = each.start - 1
        if (
            field.kind not in ("text", "list", "radio")
            or each.field in state.placed
            or at < 0
            or not state.goal.free(at, each.end)
        ):
            continue
        number = number_of(state.goal.words[at].text)
        if number is None or (
            state.low(at) in state.words.joins["indefinite"] | {"single"} and field.kind != "list"
        ):
            continue
        if state.takes[each.field][:1] and state.takes[each.field][0] in (
            "name",
            "email",
            "street",
            "first",
            "last",
            "phone",
        ):
            continue
        value = str(number)
        if field.kind in ("list", "radio") and field.choices:
            fitting = choice_called(field, value)
            if fitting is None:
                continue
            value = fitting
        state.put(each.field, value)
        state.goal.claim(at, each.end, "value")


def place_companions(state: ReadingState) -> None:
    """“Two of us”, “wir sind zu dritt”: how many people, where one field asks for that."""
    fields = [
        i
        for i, kinds in enumerate(state.takes)
        if "persons" in kinds[:2] and i not in state.placed and state.fields[i].kind != "box"
    ]
    for found in _OF_US.finditer(state.goal.masked.text) if len(fields) == 1 else ():
        span = state.goal.span(*found.span())
        said = next(each for each in found.groups() if each)
        number = {"zweit": 2, "dritt": 3, "viert": 4, "fünft": 5, "sechst": 6}.get(said.lower()) or number_of(
            said
        )
        value = fitting_value(state.fields[fields[0]], str(number)) if number else None
        if span and value and state.goal.free(*span):
            state.put(fields[0], value)
            state.goal.claim(*span, "value")
            return


def place_age(state: ReadingState) -> None:
    """“I'm 42”, “61 Jahre alt”, where a field asks for an age."""
    fields = state.empty_for("age")
    for found in _AGED.finditer(state.goal.masked.text) if len(fields) == 1 else ():
        at = next((group for group in (1, 2) if found[group]), 1)
        span = state.goal.span(*found.span(at))
        if span and state.goal.free(*span):
            state.put(fields[0], found[at])
            state.goal.claim(*span, "value")
            return
