"""Takes a text apart so that every character of it can be read: what is typed, and names of what cannot be seen.

Enter, Tab, control, invisible and bidirectional characters, unusual blanks and letters that pass for others are
*named*: whoever shows the text draws a name in another way than what is typed, so that neither passes for the
other. Nothing is left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from desktop_agent.policy.facts import policy_tables
from desktop_agent.policy.facts.policy_tables import characters_of
from desktop_agent.support.terminal_text import hidden

ENTER, TAB, NEW_LINE = "⏎ Enter", "⇥ Tab", "⏎"
_FEW = 3
"""Times that a named character is named one by one; a longer run is named once, with its number."""
_BLANKS = 5
"""Blanks in a row that are counted; also those at the end of a line, where nobody sees them."""
_SPECIAL = re.compile(rf"\n+|\t+| {{{_BLANKS},}}| +(?=\n|\Z)|[^\n\x20-\x7e]")
_WORD = re.compile(r"[^\W\d_]+")


class Span(NamedTuple):
    """A part of a text: as it is, or the name of a character that is `named` (`⇥ Tab`, `U+202E right-to-left override`)."""

    text: str
    named: bool = False


def spans(text: str, line_feed: str = ENTER) -> tuple[Span, ...]:
    """The parts of a text, in order; after a named line feed comes the line feed itself.

    With "" line feeds are not named, for texts whose lines are only how they are shown.
    """
    return tuple(_joined(_parts(text, line_feed)))


def in_one(text: str, line_feed: str = ENTER) -> str:
    """The text with names in ‹ ›, for where nothing can be drawn differently; that sign, written, is named too."""
    return "".join(f"‹{part.text}›" if part.named else part.text for part in spans(text, line_feed))


def _parts(text: str, line_feed: str) -> Iterator[Span]:
    odd = _odd_letters(text)
    done = 0
    for found in _SPECIAL.finditer(text):
        yield Span(text[done : found.start()])
        yield from _special(found[0], line_feed, found.start() in odd, _before(text, found.start()))
        done = found.end()
    yield Span(text[done:])


def _special(part: str, line_feed: str, odd: bool, before: str) -> Iterator[Span]:
    if part[0] == "\n":
        yield from _repeated(line_feed, len(part), "\n")
    elif part[0] == "\t":
        yield from _repeated(TAB, len(part), "")
    elif part[0] == " ":
        yield Span("␣ space" if len(part) == 1 else f"␣ {len(part):,} spaces", named=True)
    elif name := _look_alike(part) if odd else _name(part, before):
        yield Span(name, named=True)
    else:
        yield Span(part)


def _repeated(name: str, times: int, after: str) -> Iterator[Span]:
    if not name:
        yield Span(after * min(times, 2))
        return
    for _ in range(times if times <= _FEW else 0):
        yield from (Span(name, named=True), Span(after))
    if times > _FEW:
        yield from (Span(f"{name} × {times:,}", named=True), Span(after))


def _joined(parts: Iterator[Span]) -> Iterator[Span]:
    """Plain parts joined, empty ones left out, and more than a few equal names in a row counted."""
    waiting: list[Span] = []
    for part in parts:
        if not part.text:
            continue
        if waiting and (part.named != waiting[-1].named or (part.named and part != waiting[-1])):
            yield from _told(waiting)
            waiting = []
        waiting.append(part)
    yield from _told(waiting)


def _told(equal: list[Span]) -> Iterator[Span]:
    if not equal:
        return
    if not equal[0].named:
        yield Span("".join(each.text for each in equal))
    elif len(equal) <= _FEW:
        yield from equal
    else:
        yield Span(f"{equal[0].text} × {len(equal):,}", named=True)


def _before(text: str, at: int) -> str:
    return text[at - 1] if at else ""


def _name(char: str, before: str) -> str:
    """What a character is called when it has to be named, "" when it shows for itself."""
    if char == "\ufe0f" and before and unicodedata.category(before) == "So":
        return ""  # only asks for a symbol in colour
    mark = unicodedata.combining(char) != 0 or unicodedata.category(char) in ("Mn", "Me")
    if mark and (not before or before.isspace() or unicodedata.combining(before)):
        return _called(char)
    return _called(char) if _is_named(char) else ""


@cache
def _is_named(char: str) -> bool:
    if hidden(char) or char in _always() or (unicodedata.category(char) == "Zs" and char != " "):
        return True
    form = unicodedata.normalize("NFKC", char)
    return (
        form != char and form.isascii() and form.isprintable() and char not in _told_apart() and char != "…"
    )


def _called(char: str) -> str:
    name = unicodedata.name(char, "").lower() or _CONTROLS.get(char, "character without a name")
    return f"U+{ord(char):04X} {name}"


_CONTROLS = {
    "\x00": "null",
    "\x07": "bell",
    "\x08": "backspace",
    "\r": "carriage return",
    "\x1b": "escape",
    "\x7f": "delete",
}


@cache
def _always() -> frozenset[str]:
    table = policy_tables.readable()
    return characters_of((*table.undrawn, *table.pass_for_signs, *table.of_our_own))


@cache
def _told_apart() -> frozenset[str]:
    return characters_of(policy_tables.readable().told_apart)


# ---- letters of another script ---------------------------------------------------------------


def _odd_letters(text: str) -> frozenset[int]:
    """Where letters stand that pass for Latin ones: in a word with both, or in a text whose words could all be Latin."""
    if text.isascii():
        return frozenset()
    native = {_script(c) for c in set(text) if c.isalpha() and not c.isascii() and not _passes(c)}
    odd: set[int] = set()
    for word in _WORD.finditer(text):
        foreign = [at for at, c in enumerate(word[0], word.start()) if _script(c) not in ("latin", "")]
        mixed = len(foreign) < len(word[0])
        odd.update(at for at in foreign if _passes(text[at]) and (mixed or _script(text[at]) not in native))
        if mixed and not odd.intersection(foreign):
            odd.update(at for at in foreign if _script(text[at]) in _CLOSE)
    return frozenset(odd)


_CLOSE = frozenset(("cyrillic", "greek", "armenian", "cherokee", "coptic", "lisu"))


@cache
def _script(char: str) -> str:
    """The script of a letter, by the first word of its name; "" for what belongs to none."""
    if char.isascii():
        return "latin"
    return unicodedata.name(char, "").partition(" ")[0].lower() if char.isalpha() else ""


@cache
def _passes(char: str) -> bool:
    lower = char.lower()
    rows = policy_tables.confusables().look_alikes.values()
    return any(char in row or lower in row for row in rows) and _script(char) != "latin"


def _look_alike(char: str) -> str:
    return f"{char} {_script(char).capitalize()}"
