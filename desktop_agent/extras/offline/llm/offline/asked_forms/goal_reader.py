"""Reads a goal by the form that is in sight: which words are the value of which field, and what is left over.

The labels and choices that are seen say what to look for. Every word of the goal has to be placed in a field, say
something about the whole (that it is to be sent, say) or be one that says nothing; a word that is none of these is left
over, and a goal with such words is not carried out.
"""

from __future__ import annotations

from desktop_agent.extras.offline.llm.offline.asked_forms.form_in_sight import FormInSight
from desktop_agent.extras.offline.llm.offline.asked_forms.form_reading import FormReading
from desktop_agent.extras.offline.llm.offline.asked_forms.goal_passes.dictated_values import (
    place_dictated_values,
)
from desktop_agent.extras.offline.llm.offline.asked_forms.goal_passes.free_texts import (
    place_introduced_text,
    place_quotation,
    place_sentence_behind_colon,
)
from desktop_agent.extras.offline.llm.offline.asked_forms.goal_passes.goal_asides import take_asides
from desktop_agent.extras.offline.llm.offline.asked_forms.goal_passes.leftover_words import leftover_words
from desktop_agent.extras.offline.llm.offline.asked_forms.goal_passes.person_names import place_person_names
from desktop_agent.extras.offline.llm.offline.asked_forms.goal_passes.pressed_buttons import (
    take_named_buttons,
    take_sending,
)
from desktop_agent.extras.offline.llm.offline.asked_forms.goal_passes.said_choices import place_said_choices
from desktop_agent.extras.offline.llm.offline.asked_forms.goal_passes.said_numbers import (
    place_age,
    place_companions,
    place_counted_things,
)
from desktop_agent.extras.offline.llm.offline.asked_forms.goal_passes.ticked_boxes import tick_said_boxes
from desktop_agent.extras.offline.llm.offline.asked_forms.goal_passes.values_beside_labels import (
    place_values_beside_labels,
    place_values_beside_whole_labels,
)
from desktop_agent.extras.offline.llm.offline.asked_forms.goal_passes.values_by_looks import (
    place_values_by_looks,
)
from desktop_agent.extras.offline.llm.offline.asked_forms.goal_words import goal_words
from desktop_agent.extras.offline.llm.offline.asked_forms.reading_state import ReadingState

_PASSES = (
    take_asides,
    take_named_buttons,
    place_dictated_values,
    tick_said_boxes,
    place_values_by_looks,
    place_values_beside_whole_labels,
    place_person_names,
    place_counted_things,
    place_companions,
    place_age,
    place_said_choices,
    place_values_beside_labels,
    place_introduced_text,
    place_quotation,
    place_sentence_behind_colon,
    take_sending,
)
"""What is surest comes first: a word that one pass took is none for those after it."""


def read_goal(goal: str, form: FormInSight) -> FormReading:
    """What a goal asks for on the form that is seen. Never raises for any text."""
    state = ReadingState(goal_words(goal), form)
    for each in _PASSES:
        each(state)
    placed = tuple(state.placed[each] for each in sorted(state.placed))
    sends = bool(state.send) and not state.unsent
    return FormReading(placed, state.send if sends else "", sends, leftover_words(state), state.trouble)
