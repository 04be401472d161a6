"""Keeps quoted text out of the way of the grammar and gives it back unchanged."""

from __future__ import annotations

import re
from dataclasses import dataclass

_QUOTE = re.compile(
    r'"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|`[^`]+`|‘[^’]*’(?!\w)'
    r"|(?<![\w'])'(?!\s)(?:[^'\n]|(?<=\w)'(?=\w))+'(?![\w'])"
)
_MARK = re.compile("\x02(\\d+)\x03")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
QUOTED = "\x02\\d+\x03"
"""Regular expression of one masked quotation."""


@dataclass(frozen=True)
class Masked:
    """A text whose quotations are replaced by marks; `quotes` are the originals, marks included."""

    text: str
    quotes: tuple[str, ...] = ()

    def restore(self, fragment: str) -> str:
        """The fragment as it was written, quotation marks included."""
        return _MARK.sub(lambda found: self.quotes[int(found[1])], fragment)

    def literal(self, fragment: str) -> tuple[str, bool]:
        """The words of a fragment, and whether it was one quotation (then without its marks)."""
        whole = _MARK.fullmatch(fragment.strip())
        if whole:
            return self.quotes[int(whole[1])][1:-1], True
        return self.restore(fragment).strip(), False


def mask(text: str) -> Masked:
    """Replace every quotation by a mark; control characters other than line feed and tab are dropped."""
    quotes: list[str] = []

    def hide(found: re.Match[str]) -> str:
        quotes.append(found[0])
        return f"\x02{len(quotes) - 1}\x03"

    clean = _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return Masked(_QUOTE.sub(hide, clean), tuple(quotes))
