"""Puts untrusted text (read from the screen, a file, a terminal or the clipboard) between marked lines.

The mark is random and new in every run, so that the text cannot end its own block: the mark is removed
from it, also where it is spelled with blanks, signs or other letter forms. This helps the model to tell
data from instructions and secures nothing: what may be done is decided by the policy.
"""

from __future__ import annotations

import re
import secrets
import unicodedata

REMOVED = "(mark removed)"


class Boundary:
    """Makes the untrusted blocks of one run; `mark` is random unless it is given."""

    def __init__(self, mark: str | None = None) -> None:
        self.mark = mark or secrets.token_hex(4)
        # Any case, anything but letters and digits in between: a reader would take all of these for the mark.
        self._spelled = re.compile(r"[\W_]*".join(self.mark), re.IGNORECASE)

    def block(self, origin: str, text: str) -> str:
        """The text between two lines that carry the mark; `origin` is one word for where it comes from."""
        return f"<<<{origin} {self.mark}\n{self.neutral(text)}\n{self.mark}>>>"

    def neutral(self, text: str) -> str:
        """The text with REMOVED for every spelling of the mark."""
        plain = text if text.isascii() else "".join(map(_plain, text))
        if self._spelled.search(plain) is None:
            return text
        kept, at = [], 0
        for found in self._spelled.finditer(plain):
            kept += [text[at : found.start()], REMOVED]
            at = found.end()
        return "".join((*kept, text[at:]))


def _plain(letter: str) -> str:
    """The compatibility form (NFKC) of a full-width or mathematical letter, where it is one letter."""
    if letter.isascii():
        return letter
    form = unicodedata.normalize("NFKC", letter)
    return form if len(form) == 1 else letter
