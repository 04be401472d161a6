"""Shares out all the words of a clause among the arguments of its verb and the phrases that only tell where one is."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from typing import Any

from desktop_agent.extras.offline.llm.offline.language.lexicon import Argument, Frame, Lexicon
from desktop_agent.extras.offline.llm.offline.language.said import Text
from desktop_agent.extras.offline.llm.offline.language.shapes import Shape
from desktop_agent.extras.offline.llm.offline.language.slots import WEIGHTS, recognised
from desktop_agent.extras.offline.llm.offline.language.tokens import Span

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
_MAX_STEPS = 2_000
"""Ways to share out the words of a clause that are tried before it counts as not understood."""


def filled(shape: Shape, lexicon: Lexicon) -> Iterator[tuple[dict[str, Any], int]]:
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
        if is_object:
            yield from parted(piece, number, slots, rank)
        for argument in todo:
            if argument.slot in slots or (is_object and argument.words):
                continue
            if "flag" in argument.types and piece.lows in argument.words:
                yield from whole(number + 1, slots | {argument.slot: True}, rank + WEIGHTS["flag"])
                continue
            for inner in _led(piece, argument) if not is_object else (piece,):
                for value, weight in _recognised(inner, argument, lexicon):
                    yield from whole(number + 1, slots | {argument.slot: value}, rank + weight)

    def parted(
        piece: Span, number: int, slots: dict[str, Any], rank: int
    ) -> Iterator[tuple[dict[str, Any], int]]:
        """The object with another argument behind it: “every "cat" in pets.txt” should become "dog"."""
        objects = [each for each in todo if not each.words and each.slot not in slots]
        for at in range(1, len(piece) - 1 if objects else 0):
            for argument in todo:
                for start in _starts(piece, at, argument) if argument.words else ():
                    if (
                        argument.slot in slots
                        or start == len(piece)
                        or "flag" in argument.types
                        or not argument.optional
                    ):
                        continue
                    for value, weight in _recognised(piece.part(start), argument, lexicon):
                        for each in objects:
                            for thing, more in _recognised(piece.part(0, at), each, lexicon):
                                taken = slots | {argument.slot: value, each.slot: thing}
                                yield from whole(number + 1, taken, rank + weight + more)

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
        last = next((each for name, each in reversed(slots.items()) if not name.endswith(":by")), None)
        open_ended = isinstance(last, Text) and last.open
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
