"""Turns words of a goal into the value a field takes: one of its choices, a day as it writes days, a number, or the words themselves."""

from __future__ import annotations

from desktop_agent.extras.offline.llm.offline.asked_forms.entities import day_said, day_written
from desktop_agent.extras.offline.llm.offline.asked_forms.form_in_sight import FormField
from desktop_agent.extras.offline.llm.offline.asked_forms.form_vocabulary import alike, form_words, number_of
from desktop_agent.extras.offline.llm.offline.asked_forms.label_words import is_unset, label_words, takes


def fitting_value(field: FormField, said: str) -> str | None:
    """The value as the field takes it; None where it cannot take that."""
    if field.kind in ("list", "radio") and field.choices:
        return choice_called(field, said)
    if field.kind == "box":
        return None
    kind = takes(field)[:1]
    if kind == ("email",) and "@" not in said:
        return None
    if kind and kind[0] in ("arrival", "departure", "birth", "date"):
        return day_as_written(field, said)
    if kind and kind[0] in ("nights", "persons", "count", "children") and number_of(said) is not None:
        return str(number_of(said))
    return said


def day_as_written(field: FormField, said: str) -> str:
    """The day as the field shows that it is written; the words themselves where they are no day."""
    day = day_said(said)
    return (day_written(day, f"{field.value} {field.label}") if day else "") or said


def choice_called(field: FormField, said: str) -> str | None:
    """The choice that words name; None for none or several."""
    plain = " ".join(label_words(said))
    same = [each for each in field.choices if " ".join(label_words(each)) == plain]
    if len(same) == 1:
        return same[0]
    words = label_words(said)
    number = number_of(said)
    if number is not None:
        found = [each for each in field.choices if number in [number_of(w) for w in label_words(each)]]
        return found[0] if len(found) == 1 else None
    content = [w for w in words if w not in form_words().little] or list(words)
    found = [
        each
        for each in field.choices
        if not is_unset(each)
        and content
        and all(any(alike(w, c) for c in label_words(each)) for w in content)
    ]
    return found[0] if len(found) == 1 else None
