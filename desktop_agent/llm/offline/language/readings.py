"""Finds what one clause may mean: verbs of the lexicon, with every word of the clause used by an argument or a context phrase.

A reading holds its slots as they were recognised; `language.meanings` turns it into intents. No order of
frames carries meaning: readings are compared by how much of the clause closed types (a file, a number, a
quotation) have taken, and two of the same rank that differ are both returned.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from desktop_agent.llm.offline.intents import Intent, Unknown
from desktop_agent.llm.offline.intents_desk import OpenFile
from desktop_agent.llm.offline.language.inflection import Form
from desktop_agent.llm.offline.language.lexicon import Argument, Frame, Lexicon, Verb
from desktop_agent.llm.offline.language.said import Text
from desktop_agent.llm.offline.language.sheets_said import read_sheet
from desktop_agent.llm.offline.language.slot_places import as_app, as_file, as_folder, as_item
from desktop_agent.llm.offline.language.slot_things import as_thing_clicked, menu_path
from desktop_agent.llm.offline.language.slot_values import as_pairs
from desktop_agent.llm.offline.language.slot_words import DETERMINERS
from desktop_agent.llm.offline.language.slots import WEIGHTS, recognised
from desktop_agent.llm.offline.language.tokens import Span, Token

_TEXTS = frozenset(("text", "free", "said", "line_text", "word", "command", "value"))
_AT_ADDRESS = Argument("at_address", (("on",), ("at",), ("on", "the", "page")), ("address",), True)
_AT_APP = Argument(
    "at_app",
    (
        ("in",),
        ("with",),
        ("using",),
        ("on",),
        ("from",),
        ("via",),
        ("inside",),
        ("through",),
        ("by", "means", "of"),
    ),
    ("app",),
    True,
)
_PART = Argument("part", (("in",), ("on",), ("inside",), ("within",), ("of",)), ("window_part",), True)
_WITH_PARTS = ("click", "fill", "choose", "check", "press", "focus", "hover", "clear")
"""Where a clause is to be done may be said with any verb; in which part of the screen, with those that point."""
_STARTERS = frozenset(
    ("in", "with", "using", "on", "at", "from", "via", "inside", "through", "by", "within", "of")
)
_LONGEST_ARGUMENT = 24
"""Words of the longest argument that is no text."""
_STATE = re.compile(
    r"(?:the|my|this|our|an?|two|three|both) (?:[\w'-]+ ){1,6}?(?:is|are)(?: already| currently| now| still)? (?:open|loaded|shown|running|in front|up|there|on (?:the|my) screen)(?: in (?:the|my|a) (?:[\w'-]+ ?){1,4})?"
    r"|there(?:'s| is| are) (?:an?|some|two|three|four|five|several|many) (?:[\w'-]+ ){1,5}(?:open|on (?:the|this) (?:[\w'-]+ ?){1,4}|in (?:the|this) (?:editor|browser|window|file manager|folder)|here|there)(?: ?[,:–-] (?:an?|the|my) [\w ]+? and (?:an?|the|my) [\w ]+)?"
    r"|the (?:[\w'-]+ ){1,6}?(?:shows|has|offers|displays|contains|lists) (?:an?|some|two|three|four|five|several|many|the) (?:[\w'-]+ ?){1,8}"
)
"""What somebody tells of the screen, so that one knows where things are: nothing is to be done about it."""
_SHEET_RANK, _LONGEST_VALUE = 30, 4
_MAX_STEPS = 2_000
"""Ways to share out the words of a clause that are tried before it counts as not understood."""
_LONGEST = 120
"""Words of a clause beyond which only its beginning is looked at for a verb."""


class Reading(msgspec.Struct, frozen=True):
    """What a clause may ask for: the meaning, its slots, and how closely its words fit (more is better)."""

    meaning: str
    slots: dict[str, Any]
    rank: int
    verb: str = ""


class _Shape(msgspec.Struct, frozen=True):
    """A clause brought into one form: its verb, and pieces that hold the object and the other arguments.

    `front` are arguments that stood before the verb, each a piece of its own.
    """

    verb: Verb
    rest: Span
    front: tuple[Span, ...] = ()
    object: Span | None = None
    denied: bool = False


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
    if _STATE.fullmatch(" ".join(clause.lows).rstrip(" .")):
        return (Reading("state", {"said": clause.text, "denied": False}, 4),)
    if (stated := _stated(clause) or _about_me(clause)) is not None:
        return (stated,)
    if path := menu_path(clause):
        return (Reading("menu", {"path": path}, 6),)
    if means := _by_means(clause, lexicon):
        return means
    found = [reading for shape in _shapes(clause, lexicon, marked) for reading in _filled(shape, lexicon)]
    found = [_doubted(each) if marked else each for each in found]
    best = max((each.rank for each in found), default=0)
    distinct: list[Reading] = []
    for each in found:
        if each.rank == best and all((each.meaning, each.slots) != (o.meaning, o.slots) for o in distinct):
            distinct.append(each)
    return tuple(distinct)


_AWAITED = "wait until"


def _doubted(reading: Reading) -> Reading:
    """A reading without the weight of a verb that was not said: “once it is there” has no “wait until”."""
    unsaid = 2 * len(_AWAITED.split()) if reading.verb == _AWAITED else 0
    return msgspec.structs.replace(reading, rank=reading.rank - unsaid)


def with_verb(clause: Span, verb: str) -> Span:
    """The clause with a verb before it that it was said without."""
    at = clause.tokens[0].start
    words = tuple(Token(f"{word} ", word, "word", at, at) for word in verb.split())
    return Span((*words, *clause.tokens), clause.whole, clause.memory)


def _stated(clause: Span) -> Reading | None:
    """“budget.csv is in my Documents”: where something is, so that it can be spoken of."""
    for at in range(1, len(clause) - 2):
        if clause.lows[at] in ("is", "lies", "sits") and clause.lows[at + 1] in (
            "in",
            "inside",
            "on",
            "within",
        ):
            what, folder = as_item(clause.part(0, at)), as_folder(clause.part(at + 2))
            if what and folder:
                return Reading(
                    "mention",
                    {"what": what[0], "folder": folder[0], "said": clause.text, "denied": False},
                    12,
                )
    return None


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
        if clause.lows[at] == "by" and any(lexicon.verbs_at(clause.lows, at + 1, "gerund")):
            return read_clause(clause.part(at + 1), lexicon, marked=True)
    return ()


_MEANS = frozenset(("with", "using", "via", "by pressing", "by clicking", "by hitting"))
_ABOUT = DETERMINERS | {"it", "them"}


def _about_me(clause: Span) -> Reading | None:
    """“My name is Ida and my email is ida@example.org”: what is to be entered where it is asked for."""
    if clause.lows[0] != "my" or "is" not in clause.lows[2:4]:
        return None
    pairs = as_pairs(clause)
    return (
        Reading("about_me", {"pairs": pairs[0], "said": clause.text, "denied": False}, 8) if pairs else None
    )


def _of_sheet(clause: Span) -> tuple[Intent, ...] | None:
    """What the clause asks of a spreadsheet, which may be named before: “in stock.csv, change cell B3 to 12”."""
    if (found := read_sheet(clause.text)) is not None or clause.lows[0] not in ("in", "inside"):
        return found
    for at in range(len(clause) - 1, 1, -1):
        file = as_file(clause.part(1, at - 1 if clause.lows[at - 1] == "," else at))
        asked = read_sheet(clause.part(at).text) if file else None
        if file and asked:
            return (OpenFile(file[0].name, file[0].folder), *asked)
    return None


def stripped(span: Span, lexicon: Lexicon) -> Span:
    """The clause without politeness, time words and marks at its ends."""
    if (
        len(span) > 1
        and span.tokens[-1].low in "!?"
        and lexicon.trail.before(span.lows[:-1]) == len(span) - 1
    ):
        return span.part(0, 0)
    changed = True
    while changed and len(span):
        changed = False
        if span.tokens[0].kind == "mark" and (span.tokens[0].low in ",.;:!\n" or _bullet(span)):
            span, changed = span.part(1), True
        elif span.tokens[-1].kind == "mark" and span.tokens[-1].low in ",.;-–—\n":
            span, changed = span.part(0, -1), True
        elif numbered(span):
            span, changed = span.part(2), True
        elif led := lexicon.lead.at(span.lows):
            span, changed = span.part(led), True
        elif trailed := lexicon.trail.before(span.lows):
            span, changed = span.part(0, -trailed), True
    return span


def _bullet(span: Span) -> bool:
    """Is the first mark that of a list's entry, with a space behind it?"""
    return span.tokens[0].low in "-–—*•" and len(span) > 1 and span.tokens[1].start > span.tokens[0].end


def numbered(span: Span) -> bool:
    """Does it begin with the number of a list's entry: "2." or "2)"?"""
    return (
        len(span) > 2
        and span.tokens[0].text.isdigit()
        and span.tokens[1].kind == "mark"
        and span.tokens[1].low in ".)"
    )


def _shapes(clause: Span, lexicon: Lexicon, marked: bool) -> Iterator[_Shape]:
    yield from _imperative(clause, lexicon, "base")
    if led := lexicon.gerund_lead.at(clause.lows):
        yield from _imperative(clause.part(led), lexicon, "gerund")
    if marked:
        done = (*_imperative(clause, lexicon, "gerund"), *_imperative(clause, lexicon, "participle"))
        yield from (
            done
            if done and clause.text[0].islower()
            else _imperative(with_verb(clause, _AWAITED), lexicon, "base")
        )
    yield from _bare(clause, lexicon)
    yield from _of_subject(clause, lexicon)
    yield from _placed(clause, lexicon)
    yield from _passive(clause, lexicon)
    yield from _wanted(clause, lexicon)
    yield from _cleft(clause, lexicon)


def _cleft(clause: Span, lexicon: Lexicon) -> Iterator[_Shape]:
    """“Postpone is the button to press”, “the button to press is Postpone”, “Postpone is what you should press”."""
    lows = clause.lows
    for at in range(1, min(len(clause) - 1, _LONGEST)):
        length = lexicon.copulas.at(lows, at)
        if not length:
            continue
        before, behind = stripped(clause.part(0, at), lexicon), stripped(clause.part(at + length), lexicon)
        for named, thing in ((behind, before), (before, behind)):
            if not len(named) or not len(thing):
                continue
            if asked := lexicon.cleft.at(named.lows):
                yield from _imperative_of(named.part(asked), thing, lexicon)
            if named.lows[0] == "the":
                yield from _told_of(named, thing, lexicon)


def _told_of(named: Span, thing: Span, lexicon: Lexicon) -> Iterator[_Shape]:
    """“The button that you should press”, of a thing that is named elsewhere."""
    for at in range(2, min(len(named) - 1, 6)):
        if asked := lexicon.to_be_done.at(named.lows, at):
            noun = " ".join(named.lows[:at])
            object_ = thing if noun in lexicon.nameless else with_verb(thing, noun)
            yield from _imperative_of(named.part(at + asked), object_, lexicon)


def _imperative_of(words: Span, thing: Span, lexicon: Lexicon) -> Iterator[_Shape]:
    for verb in lexicon.verbs_at(words.lows, 0, "base"):
        yield _Shape(verb, words.part(len(verb.words)), (), thing)


def _bare(clause: Span, lexicon: Lexicon) -> Iterator[_Shape]:
    """A sum or a price without a verb: “18 % of 250?”, “12 + 30 into total.txt”, “price of the kettle?”."""
    figures = sum(each.kind == "number" for each in clause.tokens)
    if figures > 1 and (clause.tokens[0].kind == "number" or clause.lows[0] == "("):
        for verb in ("calculate", "put"):
            yield from _imperative(with_verb(clause, verb), lexicon, "base")
    elif _is_pair(clause) and not any(lexicon.verbs_at(clause.lows, 0, "base")):
        yield from _imperative(with_verb(clause, "fill the form :"), lexicon, "base")
    elif clause.whole[: clause.tokens[0].start].endswith("(") and as_app(clause):
        yield from _imperative(with_verb(clause, "use"), lexicon, "base")
    elif _is_put(clause) and not any(lexicon.verbs_at(clause.lows, 0, "base")):
        yield from _imperative(with_verb(clause, "put"), lexicon, "base")
    elif clause.text.startswith("./"):
        yield from _imperative(with_verb(clause, "run"), lexicon, "base")
    elif clause.lows[:2] in (("price", "of"), ("cost", "of")) or clause.lows[:3] in (
        ("the", "price", "of"),
        ("the", "cost", "of"),
    ):
        yield from _imperative(with_verb(clause, "tell me"), lexicon, "base")


def _is_put(clause: Span) -> bool:
    """Does it say what goes into a file: “the price into total.txt”?"""
    return "into" in clause.lows[1:] and any(each.kind == "file" for each in clause.tokens[2:])


def _is_pair(clause: Span) -> bool:
    """Is it a field and what it shall show, among other things that are asked for: “Country: Norway, then Save”?"""
    if clause.text == clause.whole.strip(" .\n"):
        return False
    if clause.tokens[0].kind != "word" or ":" not in clause.lows[1:3]:
        return False
    value = clause.part(clause.lows.index(":") + 1)
    named = len(value) and (value.tokens[0].kind != "word" or value.text[0].isupper())
    return bool(named) and len(value) <= _LONGEST_VALUE and not as_app(clause.part(0, clause.lows.index(":")))


def _of_subject(clause: Span, lexicon: Lexicon) -> Iterator[_Shape]:
    """“The file should go into the trash”: what is said of a thing that is to become so."""
    lows = clause.lows
    for at in range(1, min(len(clause), _LONGEST)):
        length = lexicon.subject.at(lows, at)
        if not length:
            continue
        verb, _, led = lexicon.said_of_subject[lows[at : at + length]].partition(" * ")
        rest = clause.part(at + length)
        tail = with_verb(rest, led) if led and len(rest) else rest
        for each in lexicon.verbs_at((verb,), 0, "base"):
            yield _Shape(each, tail, (), clause.part(0, at))


def _imperative(clause: Span, lexicon: Lexicon, form: Form) -> Iterator[_Shape]:
    for verb in lexicon.verbs_at(clause.lows, 0, form):
        rest = clause.part(len(verb.words))
        yield from _particled(_Shape(verb, rest))


def _particled(shape: _Shape) -> Iterator[_Shape]:
    """With a particle behind the object: “switch the light off”."""
    particle = shape.verb.particle
    if not particle:
        yield shape
        return
    lows = shape.rest.lows
    for at in range(1, len(lows) - len(particle) + 1):
        if lows[at : at + len(particle)] == particle:
            yield _Shape(shape.verb, shape.rest.part(at + len(particle)), shape.front, shape.rest.part(0, at))


def _placed(clause: Span, lexicon: Lexicon) -> Iterator[_Shape]:
    """“In Documents, make a folder …”: a place before the verb."""
    if clause.tokens[0].kind == "address" and len(clause) > 2 and clause.lows[1] in ":,":
        after = stripped(clause.part(2), lexicon)
        for shape in _imperative(after, lexicon, "base") if len(after) else ():
            yield msgspec.structs.replace(shape, front=(with_verb(clause.part(0, 1), "on"), *shape.front))
    if ":" in clause.lows[1:4] and as_app(named := clause.part(0, clause.lows.index(":"))):
        after = stripped(clause.part(len(named) + 1), lexicon)
        for shape in (*_imperative(after, lexicon, "base"), *_bare(after, lexicon)) if len(after) else ():
            yield msgspec.structs.replace(shape, front=(with_verb(named, "in"), *shape.front))
    if not lexicon.places.at(clause.lows):
        return
    for at in range(2, min(len(clause), _LONGEST)):
        fronts = _fronts(clause.part(0, at), lexicon)
        after = stripped(clause.part(at), lexicon)
        for shape in (
            *_imperative(after, lexicon, "base"),
            *_passive(after, lexicon),
            *_of_subject(after, lexicon),
            *_wanted(after, lexicon),
        ):
            yield msgspec.structs.replace(shape, front=(*fronts, *shape.front))


def _fronts(before: Span, lexicon: Lexicon) -> tuple[Span, ...]:
    """What stands before a verb, cut at commas that have a place behind them: “under that name, in Documents, …”."""
    pieces, start = list[Span](), 0
    for at in range(1, len(before) + 1):
        if at == len(before) or (before.lows[at] == "," and lexicon.places.at(before.lows, at + 1)):
            pieces.append(before.part(start, at))
            start = at + 1
    ended = pieces[-1]
    return (*pieces[:-1], ended.part(0, -1) if len(ended) > 1 and ended.lows[-1] == "," else ended)


def _passive(clause: Span, lexicon: Lexicon) -> Iterator[_Shape]:
    """“The file should be renamed …”, “the file needs renaming”: the object before the verb."""
    lows = clause.lows
    for at in range(1, min(len(clause), _LONGEST)):
        for phrases, form, denied in (
            (lexicon.passive, "participle", False),
            (lexicon.passive_denied, "participle", True),
            (lexicon.gerund_passive, "gerund", False),
        ):
            length = phrases.at(lows, at)
            if not length:
                continue
            rest = clause.part(at + length)
            for verb in lexicon.verbs_at(rest.lows, 0, form):  # type: ignore[arg-type]
                tail = rest.part(len(verb.words))
                for shape in _with_particle(verb, tail, clause.part(0, at)):
                    yield msgspec.structs.replace(shape, denied=denied)


def _wanted(clause: Span, lexicon: Lexicon) -> Iterator[_Shape]:
    """“I want the file renamed …”."""
    length = lexicon.wanting.at(clause.lows)
    rest = clause.part(length)
    if not length:
        return
    for at in range(1, min(len(rest), _LONGEST)):
        skip = lexicon.states.at(rest.lows, at)
        if rest.lows[at - 1] in ("is", "are", "be", "not", "isn't", "aren't"):
            continue
        denied = bool(skip) and {"not", "isn't", "aren't"} & set(rest.lows[at : at + skip])
        for verb in lexicon.verbs_at(rest.lows, at + skip, "participle"):
            for shape in _with_particle(verb, rest.part(at + skip + len(verb.words)), rest.part(0, at)):
                yield msgspec.structs.replace(shape, denied=bool(denied))


def _with_particle(verb: Verb, tail: Span, thing: Span) -> Iterator[_Shape]:
    if not verb.particle:
        yield _Shape(verb, tail, (), thing)
    elif tail.lows[: len(verb.particle)] == verb.particle:
        yield _Shape(verb, tail.part(len(verb.particle)), (), thing)


# ---- arguments -------------------------------------------------------------------------------


def _filled(shape: _Shape, lexicon: Lexicon) -> Iterator[Reading]:
    """Every way in which the arguments of the frame take all the words."""
    frame = shape.verb.frame
    for slots, rank in _fill(shape, lexicon):
        slots = frame.set | slots | {"said": shape.rest.text, "denied": shape.denied}
        yield Reading(frame.meaning, slots, rank + 2 * len(shape.verb.words), shape.verb.base)


def _fill(shape: _Shape, lexicon: Lexicon) -> Iterator[tuple[dict[str, Any], int]]:
    todo = _arguments(shape.verb.frame)
    pieces: list[tuple[Span, bool]] = [
        *([(shape.object, True)] if shape.object is not None else []),
        *((each, False) for each in shape.front),
    ]

    def whole(number: int, slots: dict[str, Any], rank: int) -> Iterator[tuple[dict[str, Any], int]]:
        if number == len(pieces):
            yield from rest(0, slots, rank)
            return
        piece, is_object = pieces[number]
        if not is_object and lexicon.here.at(piece.lows) == len(piece):
            yield from whole(number + 1, slots, rank)
            return
        for argument in todo:
            if argument.slot in slots or (is_object and argument.words):
                continue
            if "flag" in argument.types and piece.lows in argument.words:
                yield from whole(number + 1, slots | {argument.slot: True}, rank + WEIGHTS["flag"])
                continue
            for inner in _led(piece, argument) if not is_object else (piece,):
                for value, weight in _recognised(inner, argument, lexicon):
                    yield from whole(number + 1, slots | {argument.slot: value}, rank + weight)

    @functools.cache
    def _values(argument: Argument, start: int, end: int) -> tuple[tuple[Any, int], ...]:
        return _recognised(shape.rest.part(start, end), argument, lexicon)

    steps = itertools.count()
    starters = {each[0] for argument in todo for each in argument.words} | _STARTERS

    def _ends(argument: Argument, start: int) -> Iterator[int]:
        """Where the argument may end: before a word that can begin something else, or with the clause."""
        size = len(shape.rest)
        limit = size if _TEXTS & set(argument.types) else min(size, start + _LONGEST_ARGUMENT)
        anywhere = any(not each.words and each is not argument for each in todo)
        for end in range(limit, start, -1):
            if (
                end == size
                or anywhere
                or shape.rest.lows[end] in starters
                or _context(shape.rest, end, lexicon)
            ):
                yield end

    def rest(at: int, slots: dict[str, Any], rank: int) -> Iterator[tuple[dict[str, Any], int]]:
        if next(steps) > _MAX_STEPS:
            return
        size = len(shape.rest)
        if at == size:
            if all(each.optional or each.slot in slots for each in todo):
                yield slots, rank
            return
        open_ended = any(isinstance(each, Text) and each.open for each in slots.values())
        if (skipped := _context(shape.rest, at, lexicon)) and not open_ended:
            yield from rest(at + skipped, slots, rank)
        for argument in todo:
            if argument.slot in slots:
                continue
            for start in _starts(shape.rest, at, argument):
                by = " ".join(shape.rest.lows[at:start])
                if "flag" in argument.types:
                    yield from rest(start, slots | {argument.slot: True}, rank + WEIGHTS["flag"])
                    continue
                for end in _ends(argument, start):
                    for value, weight in _values(argument, start, end):
                        taken = {argument.slot: value, f"{argument.slot}:by": by}
                        late = 2 if at and not argument.words else 0
                        yield from rest(end, slots | taken, rank + weight - late)

    yield from whole(0, {}, 0)


@functools.cache
def _of_meaning(meaning: str, arguments: tuple[Argument, ...]) -> tuple[Argument, ...]:
    apps = any({"app", "place_to_type", "terminal"} & set(each.types) for each in arguments)
    more = (
        *(() if any("address" in each.types for each in arguments) else (_AT_ADDRESS,)),
        *(() if apps else (_AT_APP,)),
        *((_PART,) if meaning in _WITH_PARTS else ()),
    )
    return (*arguments, *more)


def _arguments(frame: Frame) -> tuple[Argument, ...]:
    """The frame's own arguments, and those that every clause may have."""
    return _of_meaning(frame.meaning, frame.arguments)


def _context(span: Span, at: int, lexicon: Lexicon) -> int:
    """How many words there say only where one is, or how kindly it is meant."""
    lows = span.lows
    if span.tokens[at].kind == "mark" and lows[at] in ",–—-\n!?":
        return 1
    return lexicon.here.at(lows, at) or lexicon.trail.at(lows, at)


def _recognised(span: Span, argument: Argument, lexicon: Lexicon) -> tuple[tuple[Any, int], ...]:
    """What the words may be; “that I had open” is taken off all but texts, which are as they are."""
    texts = tuple(each for each in argument.types if each in _TEXTS)
    others = tuple(each for each in argument.types if each not in _TEXTS)
    if not others or not len(span):
        return tuple(recognised(span, texts))
    plain = span.recall("known", lambda words: _known_off(words, lexicon))
    return (*recognised(span, texts), *recognised(plain, others))


def _known_off(span: Span, lexicon: Lexicon) -> Span:
    """Without “that I had open a moment ago” and a comma at the end."""
    while len(span):
        if span.tokens[-1].kind == "mark" and span.tokens[-1].low == ",":
            span = span.part(0, -1)
        elif length := lexicon.known.before(span.lows):
            span = span.part(0, -length)
        else:
            return span
    return span


def _starts(span: Span, at: int, argument: Argument) -> Iterator[int]:
    if not argument.words:
        yield at
        return
    lows = span.lows
    for words in argument.words:
        if lows[at : at + len(words)] == words:
            yield at + len(words)


def _led(piece: Span, argument: Argument) -> Iterator[Span]:
    for words in argument.words:
        if piece.lows[: len(words)] == words:
            yield piece.part(len(words))


def frames_of(lexicon: Lexicon) -> Iterator[Frame]:
    """All frames, each once."""
    seen: set[int] = set()
    for several in lexicon.verbs.values():
        for verb in several:
            if id(verb.frame) not in seen:
                seen.add(id(verb.frame))
                yield verb.frame
