"""What a reading has found so far: which words of the goal are claimed, and what is placed in which field.

Every pass is given it, takes what it is sure of, and claims the words for it; a pass sees what those before it left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from desktop_agent.extras.offline.llm.offline.asked_forms.form_in_sight import (
    FormField,
    FormInSight,
    bare_label,
)
from desktop_agent.extras.offline.llm.offline.asked_forms.form_reading import Placed
from desktop_agent.extras.offline.llm.offline.asked_forms.form_vocabulary import FormWords, form_words
from desktop_agent.extras.offline.llm.offline.asked_forms.goal_words import GoalWords
from desktop_agent.extras.offline.llm.offline.asked_forms.label_words import takes

WRITTEN = ("text", "area", "secret")
"""The kinds of fields that are written in."""


@dataclass
class ReadingState:
    """One goal, the form it is read by, and what was found; `takes` says what each field takes, the surest first."""

    goal: GoalWords
    form: FormInSight
    words: FormWords = field(default_factory=form_words)
    placed: dict[int, Placed] = field(default_factory=dict)
    send: str = ""
    """The button to press, "" for none."""
    unsent: bool = False
    """Is it said that nothing is to be sent?"""
    trouble: str = ""
    takes: tuple[tuple[str, ...], ...] = field(init=False)

    def __post_init__(self) -> None:
        self.takes = tuple(takes(each) for each in self.form.fields)

    @property
    def fields(self) -> tuple[FormField, ...]:
        """The fields of the form, by their numbers."""
        return self.form.fields

    def low(self, at: int) -> str:
        """The plain word of that number, "" outside of the goal."""
        return self.goal.words[at].low if 0 <= at < len(self.goal) else ""

    def separates(self, at: int) -> bool:
        """Is it a sign or word that only stands between two things said?"""
        return self.low(at) in self.words.joins["separators"]

    def put(self, number: int, value: str) -> None:
        """Note a value for a field that has none."""
        self.placed[number] = Placed(number, value)

    def place(self, number: int, value: str = "", on: bool | None = None) -> bool:
        """Note a value; False where the field has another one, which is then trouble."""
        new = Placed(number, value, on)
        before = self.placed.get(number)
        if before is not None and before != new:
            label = bare_label(self.fields[number].label)
            self.trouble = (
                self.trouble
                or f"It asks for both “{before.value or before.on}” and “{value or on}” for “{label}”."
            )
            return False
        self.placed[number] = new
        return True

    def claim_matches(self, pattern: re.Pattern[str], why: str) -> Iterator[re.Match[str]]:
        """Claim the words of every match that are all free, as the matches are asked for."""
        for found in pattern.finditer(self.goal.masked.text):
            inside = [
                i for i, w in enumerate(self.goal.words) if found.start() <= w.start and w.end <= found.end()
            ]
            if inside and self.goal.free(inside[0], inside[-1] + 1):
                self.goal.claim(inside[0], inside[-1] + 1, why)
                yield found

    def empty_for(self, kind: str) -> list[int]:
        """The fields without a value that take this kind of thing for sure."""
        return [i for i, kinds in enumerate(self.takes) if kinds[:1] == (kind,) and i not in self.placed]

    def open_fields(self, kind: str) -> list[int]:
        """The fields to write in, without a value, that take this kind of thing: for sure, or else perhaps."""
        written = [i for i, each in enumerate(self.fields) if i not in self.placed and each.kind in WRITTEN]
        return [i for i in written if self.takes[i][:1] == (kind,)] or [
            i for i in written if kind in self.takes[i][:2] and kind != "name"
        ]
