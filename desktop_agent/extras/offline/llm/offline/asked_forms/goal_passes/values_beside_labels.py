"""Places values that stand right behind the name of a field, without a word that joins them: “room 4.02”, “town York”."""

from __future__ import annotations

import re

from desktop_agent.extras.offline.llm.offline.asked_forms.field_values import fitting_value
from desktop_agent.extras.offline.llm.offline.asked_forms.label_words import mentions
from desktop_agent.extras.offline.llm.offline.asked_forms.reading_state import WRITTEN, ReadingState
from desktop_agent.extras.offline.llm.offline.asked_forms.word_runs import capitals_end


def place_values_beside_whole_labels(state: ReadingState) -> None:
    """“room 4.02”: values of fields to write in, each right behind the whole label."""
    _place_values(state, whole=True)


def place_values_beside_labels(state: ReadingState) -> None:
    """“the inventory number 4711”: values right behind any name of a field."""
    _place_values(state, whole=False)


def _place_values(state: ReadingState, *, whole: bool) -> None:
    """Place a quotation, a number or a name behind what a field is called; with `whole` only behind whole labels."""
    for each in sorted(mentions(state.goal, state.fields), key=lambda m: (m.start, -(m.end - m.start))):
        field = state.fields[each.field]
        if whole and not (each.whole and field.kind in WRITTEN):
            continue
        if each.field in state.placed or field.kind == "box" or not state.goal.free(each.start, each.end):
            continue
        begin = each.end
        while (
            begin < len(state.goal)
            and (
                state.goal.words[begin].text in (":", "=", "#", "-")
                or state.low(begin) in state.words.joins["beside"]
            )
            and begin - 1 not in state.goal.ends
        ):
            begin += 1
        if begin >= len(state.goal) or each.end - 1 in state.goal.ends or state.goal.claimed[begin]:
            continue
        said = state.goal.words[begin]
        if (
            said.is_quoted
            or re.search(r"\d", said.text)
            or (field.kind in ("list", "radio") and not said.is_sign)
        ):
            end = begin + 1
        elif field.kind in WRITTEN and each.whole:
            end = capitals_end(state, begin, 4)
        else:
            continue
        value = fitting_value(field, state.goal.text(begin, end)) if end > begin else None
        if value is None or (
            field.kind in ("list", "radio")
            and not field.choices
            and not re.search(r"\d", value)
            and not value[:1].isupper()
        ):
            continue
        state.put(each.field, value)
        state.goal.claim(each.start, end, "value")
