"""Intents that read first, and then do something with what was read."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from desktop_agent.llm.offline.named import Phrase

Unit: TypeAlias = Literal["word", "letter", "sentence", "line", "number", "value", "text"]
MailVerb: TypeAlias = Literal["open", "forward", "reply", "delete", "star"]


class FindOut(msgspec.Struct, frozen=True):
    """Read a part of what is in sight and remember it: the n-th `unit` of a thing, or a value in a table.

    `unit` is "word", "letter", "sentence", "line", "number", "value" or "text" (all of it); `ordinal` as in
    Phrase; `where` is the thing it is read in, for a value what it is the value of, and `column` then narrows it.
    """

    unit: Unit
    where: Phrase
    ordinal: int = 0
    column: str = ""


class CopyText(msgspec.Struct, frozen=True):
    """Put the whole text of a thing on the clipboard."""

    what: Phrase


class Solve(msgspec.Struct, frozen=True):
    """Work out a sum or an equation by reckoning: the one given, or the one to be read when it is empty."""

    problem: str = ""


class Sort(msgspec.Struct, frozen=True):
    """Beside each number in sight, choose the one of the names ("odd", "even", …) that is true of it."""

    names: tuple[str, ...]


class Guess(msgspec.Struct, frozen=True):
    """Find a number between two by trying, going by what is said about each try."""

    low: int
    high: int


class FillFromTable(msgspec.Struct, frozen=True):
    """Enter into each labelled empty box the value that stands beside the same label elsewhere."""


class OnCard(msgspec.Struct, frozen=True):
    """Click a thing that belongs to `owner`: on its row, post, card; on `count` such cards, 0 for all of them."""

    what: Phrase
    owner: str
    count: int = 1


class Mail(msgspec.Struct, frozen=True):
    """Do something about the message of a sender: `to` whom it is forwarded, `text` of a reply."""

    verb: MailVerb
    sender: str
    to: str = ""
    text: str = ""


class Highlight(msgspec.Struct, frozen=True):
    """Select the text of a thing, or with `words` only these in it."""

    what: Phrase
    words: str = ""


class Style(msgspec.Struct, frozen=True):
    """Give words in an editor (all of them when `words` is empty) a style: bold, italic, underline, or a colour."""

    words: str
    style: str
