"""Cuts an instruction into words, quotations, names of files, addresses, numbers and marks."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

import msgspec

from desktop_agent.extras.offline.llm.offline.addresses import ADDRESS
from desktop_agent.extras.offline.llm.offline.quoting import _QUOTE

TokenKind: TypeAlias = Literal["word", "quote", "file", "address", "number", "mark"]
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_FILE = r"(?:(?:~|\.{1,2})?/[^\s,;:\"“”]+|~(?=\W|$)|(?:[\w()+-]+/)*[\w()+-]+(?:\.[\w()+-]+)*\.(?=[a-z]*[a-z])[A-Za-z0-9]{1,5}(?![\w-]))"
_TOKEN = re.compile(
    rf"(?P<quote>{_QUOTE.pattern})|(?P<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)|(?P<address>{ADDRESS.pattern})(?![\w@])"
    rf"|(?P<keys>(?:ctrl|control|alt|shift|super|cmd|command|win)(?:\s?\+\s?[\w+]+)+)|(?P<file>{_FILE})"
    r"|(?P<number>(?<![\w)\d])-?\d+(?:[.,:/-]\d+)*%?(?![\w]))|(?P<word>[^\W\d_][\w'’]*(?:[-/&][\w'’]+)*|[\w'’]+)|(?P<line>\s*\n\s*)|(?P<mark>[^\s\w])",
    re.I,
)
_LIST_MARK = re.compile(r"^[ \t]*(?:\d{1,2}[.)]|[-*•])[ \t]+", re.M)
STOPS = frozenset(".!?;\n")


class Token(msgspec.Struct, frozen=True):
    """A piece of an instruction: as it was written, in small letters (and as it was meant, when it was mistyped), and its place there."""

    text: str
    low: str
    kind: TokenKind
    start: int
    end: int
    mended: bool = False

    @property
    def stop(self) -> bool:
        """Does it end a sentence?"""
        return self.kind == "mark" and self.low in STOPS


class Span(msgspec.Struct, frozen=True):
    """Neighbouring tokens of an instruction; `whole` is all of its text, `memory` what was found out about its parts."""

    tokens: tuple[Token, ...]
    whole: str
    memory: dict[tuple[str, int, int, int], Any]

    def recall(self, name: str, ask: Callable[[Span], Any]) -> Any:
        """The answer about these words, asked for once in an instruction."""
        key = (name, self.tokens[0].start, self.tokens[-1].end, len(self.tokens))
        if key not in self.memory:
            self.memory[key] = ask(self)
        return self.memory[key]

    def __len__(self) -> int:
        return len(self.tokens)

    def part(self, start: int, end: int | None = None) -> Span:
        return Span(self.tokens[start:end], self.whole, self.memory)

    @property
    def from_first_word(self) -> Span:
        """Without the marks at its head."""
        return self.part(next((at for at, each in enumerate(self.tokens) if each.kind != "mark"), 0))

    @property
    def text(self) -> str:
        """The words exactly as they were written."""
        return self.whole[self.tokens[0].start : self.tokens[-1].end] if self.tokens else ""

    @property
    def spoken(self) -> str:
        """The words as they were meant: mistyped ones mended."""
        pieces, at = [], self.tokens[0].start if self.tokens else 0
        for each in self.tokens:
            pieces += [self.whole[at : each.start], each.low if each.mended else each.text]
            at = each.end
        return "".join(pieces)

    @property
    def lows(self) -> tuple[str, ...]:
        return tuple(each.low for each in self.tokens)

    @property
    def literal(self) -> str | None:
        """What stands between quotation marks when that is all there is."""
        return self.tokens[0].text[1:-1] if len(self.tokens) == 1 and self.tokens[0].kind == "quote" else None


def spanned(text: str) -> Span:
    """The tokens of an instruction; control characters but line feed and tab are dropped."""
    clean = _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    if _LIST_MARK.match(clean):  # a list's numbers and bullets say nothing
        clean = _LIST_MARK.sub("", clean)
    return Span(tuple(_tokens(clean)), clean, {})


def _tokens(text: str) -> Sequence[Token]:
    found, at = [], 0
    while (each := _TOKEN.search(text, at)) is not None:
        at = each.end()
        kind = each.lastgroup or "mark"
        written = each[0]
        if kind in ("address", "file", "mail") and written[-1] in ".,!?;:" and len(written) > 1:
            trimmed = written.rstrip(".,!?;:")
            at -= len(written) - len(trimmed)
            written = trimmed
        if kind == "line":
            found.append(Token("\n", "\n", "mark", each.start(), at))
            continue
        named: TokenKind = {"mail": "word", "keys": "word"}.get(kind, kind)  # type: ignore[assignment]
        found.append(Token(written, written.lower().replace("’", "'"), named, each.start(), at))
    return found
