"""Finds what one clause may mean: verbs of the lexicon, with every word of the clause used by an argument or a context phrase.

A reading holds its slots as they were recognised; `language.meanings` turns it into intents. No order of
frames carries meaning: readings are compared by how much of the clause closed types (a file, a number, a
quotation) have taken, and two of the same rank that differ are both returned.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from desktop_agent.extras.offline.llm.offline.intents import Intent, Unknown
from desktop_agent.extras.offline.llm.offline.intents_desk import OpenFile
from desktop_agent.extras.offline.llm.offline.language.lexicon import Lexicon
from desktop_agent.extras.offline.llm.offline.language.said import Reading
from desktop_agent.extras.offline.llm.offline.language.shapes import (
    AWAITED,
    Shape,
    shapes,
    stripped,
    with_done,
    with_verb,
)
from desktop_agent.extras.offline.llm.offline.language.sheets_said import read_sheet
from desktop_agent.extras.offline.llm.offline.language.slot_places import as_file
from desktop_agent.extras.offline.llm.offline.language.slot_things import as_thing_clicked, menu_path
from desktop_agent.extras.offline.llm.offline.language.slot_words import DETERMINERS
from desktop_agent.extras.offline.llm.offline.language.statements import statement
from desktop_agent.extras.offline.llm.offline.language.tokens import Span
from desktop_agent.extras.offline.llm.offline.language.verb_arguments import filled

_SHEET_RANK = 30
_MEANS = frozenset(("with", "using", "via", "by pressing", "by clicking", "by hitting"))
_ABOUT_IT = frozenset(("it", "them", "that", "this"))
_ABOUT = DETERMINERS | {"it", "them"}
_IN_SHEET = re.compile(r"(?:in|inside) (?:the|this|my) (?:open )?(?:spreadsheet|sheet|table)\s*,?\s+", re.I)


def read_clause(span: Span, lexicon: Lexicon, *, marked: bool = False) -> tuple[Reading, ...]:
    """The best readings of a clause, none when not all of its words are understood.

    One that is `marked` follows “before” or “once you have”: its verb may be any form.
    """
    clause = stripped(span, lexicon)
    if not len(clause):
        return ()
    if sheet := clause.recall("sheet", _of_sheet):
        return (Reading("said", {"intents": sheet}, _SHEET_RANK + len(clause)),)
    if why := lexicon.refusal(clause.text):
        return (Reading("said", {"intents": (Unknown(clause.text, why),)}, 30),)
    if (stated := statement(clause)) is not None:
        return (stated,)
    if path := menu_path(clause):
        return (Reading("menu", {"path": path}, 6),)
    if means := _by_means(clause, lexicon):
        return means
    found = [reading for shape in shapes(clause, lexicon, marked) for reading in _readings_of(shape, lexicon)]
    return _best(found, marked=marked)


def read_absolute(clause: Span, lexicon: Lexicon) -> tuple[Reading, ...]:
    """The best readings of “with the box ticked” as something to be done."""
    found = [reading for shape in with_done(clause, lexicon) for reading in _readings_of(shape, lexicon)]
    if not found and clause.lows[0] in lexicon.absolute and len(clause) > 1:  # “with Ida as the name, …”
        given = read_clause(with_verb(clause.part(1), "enter"), lexicon)
        found = [each for each in given if each.meaning == "fill" and not each.slots["value"].islower()]
    return _best(found, marked=True)


def _best(found: list[Reading], *, marked: bool) -> tuple[Reading, ...]:
    found = [_doubted(each) if marked else each for each in found]
    best = max((each.rank for each in found), default=0)
    distinct: list[Reading] = []
    for each in found:
        if each.rank == best and all((each.meaning, each.slots) != (o.meaning, o.slots) for o in distinct):
            distinct.append(each)
    return tuple(distinct)


def _doubted(reading: Reading) -> Reading:
    """A reading without the weight of a verb that was not said: “once it is there” has no “wait until”."""
    unsaid = 2 * len(AWAITED.split()) if reading.verb == AWAITED else 0
    return msgspec.structs.replace(reading, rank=reading.rank - unsaid)


def _by_means(clause: Span, lexicon: Lexicon) -> tuple[Reading, ...]:
    """“Archive it with the Archive button”, “start my backup by running ./backup.sh”: done as the end of it says."""
    for at in range(2, min(len(clause) - 2, 9)):
        plain = all(each.kind == "word" or each.low == "," for each in clause.tokens[:at])
        if not plain or clause.lows[1] not in _ABOUT:
            continue
        means = next((n for n in (2, 1) if " ".join(clause.lows[at : at + n]) in _MEANS), 0)
        button = as_thing_clicked(clause.part(at + means)) if means else None
        if button and button[0].kind == "button":
            return (Reading("click", {"what": button[0], "said": clause.text, "denied": False}, 8),)
        if (
            clause.lows[at] == "by"
            and not _ABOUT_IT & set(clause.lows[at:])
            and any(lexicon.verbs_at(clause.lows, at + 1, "gerund"))
        ):
            return read_clause(clause.part(at + 1), lexicon, marked=True)
    return ()


def _of_sheet(clause: Span) -> tuple[Intent, ...] | None:
    """What the clause asks of a spreadsheet, which may be named before: “in stock.csv, change cell B3 to 12”."""
    if (found := read_sheet(clause.text)) is not None or clause.lows[0] not in ("in", "inside"):
        return found
    if (open_now := _IN_SHEET.match(clause.text)) is not None:
        return read_sheet(clause.text[open_now.end() :])
    for at in range(len(clause) - 1, 1, -1):
        file = as_file(clause.part(1, at - 1 if clause.lows[at - 1] == "," else at))
        asked = read_sheet(clause.part(at).text) if file else None
        if file and asked:
            return (OpenFile(file[0].name, file[0].folder), *asked)
    return None


def _readings_of(shape: Shape, lexicon: Lexicon) -> Iterator[Reading]:
    """Every way in which the arguments of the frame take all the words."""
    frame = shape.verb.frame
    for slots, rank in filled(shape, lexicon):
        slots = frame.set | slots | {"said": shape.rest.text, "denied": shape.denied}
        yield Reading(frame.meaning, slots, rank + 2 * len(shape.verb.words), shape.verb.base)
