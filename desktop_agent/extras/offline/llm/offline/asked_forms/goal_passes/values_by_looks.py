"""Places what is known by its looks: addresses, telephone numbers, days, times, streets and towns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_agent.extras.offline.llm.offline.asked_forms.entities import Entity, entities, time_said
from desktop_agent.extras.offline.llm.offline.asked_forms.field_values import day_as_written
from desktop_agent.extras.offline.llm.offline.asked_forms.reading_state import ReadingState
from desktop_agent.extras.offline.llm.offline.asked_forms.word_runs import capitals_end, names_choice

_DAYS = ("arrival", "departure", "birth", "date")
"""The kinds of fields that take a day."""
_LEAVING = re.compile(r"leav|depart|abreis|return|rück|until|bis")
_BORN = re.compile(r"born|birth|gebor|geburt|\bgeb\b")


def place_values_by_looks(state: ReadingState) -> None:
    """E-mail addresses, telephone numbers, days, streets and towns go where one field takes such a thing."""
    found = list(entities(state.goal))
    days = [each for each in found if each.kind == "date"]
    for each in found:
        if each.kind == "time":
            _place_time(state, each)
        elif each.kind != "date":
            _place_entity(state, each)
    _place_days(state, days)
    _place_home_town(state)


def _place_entity(state: ReadingState, each: Entity) -> None:
    """What is no day or time: into the one field that takes its kind."""
    if not state.goal.free(each.start, each.end):
        return
    fields = state.open_fields(each.kind)
    if each.kind == "street" and _place_street_apart(state, each):
        return
    if not fields and each.kind in ("postcode", "town"):
        _place_postcode_with_town(state, each)
        return
    if len(fields) == 1:
        state.put(fields[0], each.text)
        state.goal.claim(each.start, each.end, "value")


def _place_time(state: ReadingState, each: Entity) -> None:
    """A time of day: the choice that says it, or the one field for a time."""
    times = time_said(each.text)
    if not times or not state.goal.free(each.start, each.end):
        return
    fitting = [
        (i, choice)
        for i, field in enumerate(state.fields)
        if i not in state.placed
        for choice in field.choices
        if set(time_said(choice)) & set(times) and len(time_said(choice)) == 1
    ]
    fields = state.open_fields("time")
    if len(fitting) == 1:
        state.put(*fitting[0])
    elif (
        len(fields) == 1
        and len(times) == 1
        and not any(time_said(c) for f in state.fields for c in f.choices)
    ):
        written = (
            each.text
            if re.fullmatch(r"\d{1,2}[:.]\d{2}", each.text)
            else f"{times[0][0]:02}:{times[0][1]:02}"
        )
        state.put(fields[0], written)
    else:
        return
    state.goal.claim(each.start, each.end, "value")


def _place_street_apart(state: ReadingState, each: Entity) -> bool:
    """Street and house number in fields of their own."""
    houses = state.empty_for("house")
    streets = state.empty_for("street")
    if len(houses) != 1 or len(streets) != 1:
        return False
    return _split_street(state, each, streets[0], houses[0])


def _split_street(state: ReadingState, each: Entity, street: int, house: int) -> bool:
    """Place both parts of a street with its number; False where they cannot be told apart."""
    found = re.fullmatch(
        r"(?P<street>\D+?)\s+(?P<house>\d+\s?[a-zA-Z]?)|(?P<house2>\d+[a-zA-Z]?)\s+(?P<street2>\D+)",
        each.text,
    )
    if not found:
        return False
    state.put(street, found["street"] or found["street2"])
    state.put(house, found["house"] or found["house2"])
    state.goal.claim(each.start, each.end, "value")
    return True


def _place_postcode_with_town(state: ReadingState, each: Entity) -> None:
    """Postcode and town in one field."""
    fields = [i for i, kinds in enumerate(state.takes) if kinds[:1] == ("posttown",)]
    if len(fields) != 1:
        return
    before = state.placed.get(fields[0])
    value = each.text if before is None else f"{before.value} {each.text}"
    state.put(fields[0], value)
    state.goal.claim(each.start, each.end, "value")


def _place_days(state: ReadingState, days: Sequence[Entity]) -> None:
    """Days, each into the first field without a value that takes what the words before the day make of it."""
    fields = {kind: state.open_fields(kind) for kind in _DAYS}
    for each in days:
        if not state.goal.free(each.start, each.end):
            continue
        order = _kinds_of_day(state, each.start)
        free = [i for kind in order for i in fields[kind] if i not in state.placed]
        if not free and order[0] == "arrival":
            lone = [i for kind in _DAYS for i in fields[kind] if i not in state.placed]
            free = lone if len(lone) == 1 and state.takes[lone[0]][:1] != ("birth",) else []
        if free and (len(free) == 1 or order[0] != "date"):
            state.put(free[0], day_as_written(state.fields[free[0]], each.text))
            state.goal.claim(each.start, each.end, "value")


def _kinds_of_day(state: ReadingState, start: int) -> tuple[str, ...]:
    """What the words before a day say that it is, the likeliest first."""
    near = [state.low(i) for i in range(max(0, start - 5), start)]
    if state.low(start - 1) in state.words.joins["until"] or _LEAVING.search(" ".join(near[-3:])):
        return "departure", "date"
    return ("birth",) if _BORN.search(" ".join(near)) else ("arrival", "date")


def _place_home_town(state: ReadingState) -> None:
    """“aus Husum”, “lives in York”: the town, where one field takes a town."""
    fields = state.open_fields("town")
    if len(fields) != 1:
        return
    for at in range(1, len(state.goal)):
        near = {state.low(i) for i in range(max(0, at - 4), at)}
        lives = not near.isdisjoint(state.words.cues["living"])
        if state.low(at - 1) in ("aus", "from") or (state.low(at - 1) in ("in", "im") and lives):
            end = capitals_end(state, at, 3)
            if end > at and state.goal.free(at, end) and not names_choice(state, at, end):
                state.put(fields[0], state.goal.text(at, end))
                state.goal.claim(at, end, "value")
                return
