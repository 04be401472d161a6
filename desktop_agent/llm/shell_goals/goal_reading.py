"""Turns a goal in everyday words into steps of a POSIX shell; what is not understood whole is not done in part."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from desktop_agent.llm.shell_goals.clause_cutting import cuts
from desktop_agent.llm.shell_goals.clause_reading import ClauseReader
from desktop_agent.llm.shell_goals.clause_setting import ClauseSetting
from desktop_agent.llm.shell_goals.command_slots import Known, NotMeant, Step
from desktop_agent.llm.shell_goals.goal_remarks import without_background, without_remarks
from desktop_agent.llm.shell_goals.phrase_book import LANGUAGES, PhraseBook, book_of
from desktop_agent.llm.shell_goals.quoted_parts import QuotedParts, is_quoted
from desktop_agent.llm.shell_goals.step_making import StepMaker
from desktop_agent.llm.shell_goals.typing_errors import mended_texts
from desktop_agent.llm.shell_goals.value_reading import ValueReader

_LONGEST = 2_000
"""Characters of a goal."""
_TEXT_FOLLOWS = "\ue002"
"""Stands before a text that is the rest of the goal."""
_SAME_WORDS = (
    (r"(?i)\b(what|who|where)'s\b", r"\1 is"),
    (r"(?i)(\w)-(dateien|datei|files|file)\b", r"\1 \2"),
    (r"(?i)\bdon't\b", "do not"),
)
"""Spellings that the phrase books do not have, and the ones that they have."""


@lru_cache(64)
def steps_of(goal: str) -> tuple[Step, ...]:
    """The steps for a goal, () when any of it is not understood. Mistyped words are mended only where it is not without."""
    if len(goal) > _LONGEST:
        return ()
    for read in (_steps, _steps_of_mended):
        for language in LANGUAGES:
            for text in (*_with_rest_as_text(goal), goal):
                if steps := read(text, book_of(language)):
                    return steps
    return ()


def _steps(goal: str, book: PhraseBook, mended: frozenset[str] = frozenset()) -> tuple[Step, ...]:
    """The steps for a goal in which the given words are mended, () when any of it is not understood."""
    front, _, rest = goal.replace("’", "'").partition(_TEXT_FOLLOWS)
    if rest and _may_hold_a_clause(rest, book):
        return ()
    quoted = QuotedParts()
    text = quoted.taken_out(front) + (f" {quoted.added(rest)}" if rest else "")
    for spelling, known in _SAME_WORDS:
        text = re.sub(spelling, known, text)
    text, remarks = without_remarks(without_background(text, book), book)
    values = ValueReader(book, quoted, mended, remarks.marks)
    try:
        but, spared = (
            [name for said in names for name in values.left_out(said, Known())]
            for names in (remarks.but, remarks.spared)
        )
    except NotMeant:
        return ()
    setting = ClauseSetting(but=but, spared=spared, keeps=remarks.keeps)
    found = ClauseReader(StepMaker(values, setting)).read(text, Known())
    return found.steps if found is not None and setting.is_kept(found) else ()


def _steps_of_mended(goal: str, book: PhraseBook) -> tuple[Step, ...]:
    """The steps for the goal with its typing errors put right."""
    quoted = QuotedParts()
    for text, mended in mended_texts(quoted.taken_out(goal), book):
        if steps := _steps(quoted.restored(text), book, mended):
            return steps
    return ()


def _with_rest_as_text(goal: str) -> Iterator[str]:
    """The goal with all behind a colon taken as a text: "into a.txt: She said it's done"."""
    for found in re.finditer(r":\s+(?=\S)", goal):
        rest = goal[found.end() :].strip()
        if not is_quoted(rest.rstrip(".")) and "\n" not in rest:
            yield f"{goal[: found.start()]} {_TEXT_FOLLOWS}{rest}"


def _may_hold_a_clause(rest: str, book: PhraseBook) -> bool:
    """May a text behind a colon end in something else to be done?"""
    quoted = QuotedParts()
    reader = ClauseReader(StepMaker(ValueReader(book, quoted)))
    known = Known(it="it", before="it", number="it", result="lines")
    return any(reader.read(after, known) for _, after in cuts(quoted.taken_out(rest), book))
