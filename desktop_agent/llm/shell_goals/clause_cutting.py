"""Cuts a goal into clauses, and takes words of courtesy and marks off the ends of one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from desktop_agent.llm.shell_goals.phrase_book import PhraseBook


def cuts(text: str, book: PhraseBook) -> Iterator[tuple[str, str]]:
    """What stands before and behind each place where two clauses may join, the surest place first."""
    marks = (
        r"[.;:!?]\s+|\s*\n\s*",
        *(rf",?\s+(?:{any_of(words)})\s+" for words in (book.then, book.joins)),
        r",\s+",
    )
    for mark in marks:
        for found in re.finditer(mark, text, re.IGNORECASE):
            if found.start() and found.end() < len(text):
                yield text[: found.start()], text[found.end() :]


def parts_of(said: str, book: PhraseBook) -> list[str]:
    """The parts of a list such as "a.txt, b.txt and c.txt"."""
    joins = any_of(book.joins)
    return re.split(rf"\s*,\s*(?:(?:{joins})\s+)?|\s+(?:{joins})\s+", said)


def plain_clause(text: str, book: PhraseBook) -> str:
    """The clause without words of courtesy, and without marks at its ends."""
    text = text.strip(" ,;:!?\t")
    text = text[:-1].rstrip() if re.search(r"[\w\ue001]\.$", text) else text
    while True:
        low = text.casefold()
        if found := book.courtesy_before.match(low):
            text = text[found.end() :].strip(" ,:;")
        elif low.endswith(book.trail) and (found := book.courtesy_behind.search(low)):
            text = text[: found.start() + 1 - len(low)].strip(" ,;:")
        else:
            break
    words = text.split(maxsplit=2)
    return f"{words[0]} {words[2]}" if len(words) == 3 and words[1].casefold() in book.polite else text


def any_of(words: tuple[str, ...]) -> str:
    """The expression that matches any of the words, the longest first."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
