"""Marks what was read from the screen, a file, a terminal or the clipboard, so that it cannot pass for words of the user.

The mark is random and new in every run. What is read may say anything, but not the mark: it is taken
out of the text, also when it is spelled with blanks, other letter forms or signs between its letters.
This is a courtesy to the model, no wall: what may be done is decided by the policy.
"""

from __future__ import annotations

import re
import secrets
import unicodedata

REMOVED = "(mark removed)"


class Boundary:
    """The mark of one run, and texts put between two of them."""

    def __init__(self, mark: str | None = None) -> None:
        self.mark = mark or secrets.token_hex(8)
        # Any case, anything but letters and digits in between: a reader would take all of these for the mark.
        self._spelled = re.compile(r"[\W_]*".join(self.mark), re.IGNORECASE)

    def block(self, origin: str, text: str) -> str:
        """The text between two lines that carry the mark; `origin` is one word for where it comes from."""
        return f"<<<{origin} {self.mark}\n{self.neutral(text)}\n{self.mark}>>>"

    def neutral(self, text: str) -> str:
        """The text without the mark in any spelling."""
        plain = text if text.isascii() else "".join(map(_plain, text))
        if self._spelled.search(plain) is None:
            return text
        kept, at = [], 0
        for found in self._spelled.finditer(plain):
            kept += [text[at : found.start()], REMOVED]
            at = found.end()
        return "".join((*kept, text[at:]))


def _plain(letter: str) -> str:
    """The usual form of a letter (full-width, mathematical), one for one."""
    if letter.isascii():
        return letter
    form = unicodedata.normalize("NFKC", letter)
    return form if len(form) == 1 else letter
