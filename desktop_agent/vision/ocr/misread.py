"""Whether text that was recognised in a picture may be a text that is known, for all that recognisers confuse."""

from __future__ import annotations

import unicodedata

_LOOK_ALIKE = ("0oO°", "1lI|!i", "5sS", "cC", "vV", "wW", "xX", "zZ2", "uU", "kK", "pP", "8B", ",.", "'`’‘´", '"“”„', "-–—_")  # fmt: skip
_AS = {letter: group[0] for group in _LOOK_ALIKE for letter in group}
_UNCERTAIN = 3
"""Texts of fewer letters are not told apart by a recogniser at all when one of them may be another."""


def reads_as(seen: str, text: str) -> bool:
    """Can what was read be this very text: the same letters in the same order, look-alikes and blanks apart?

    Dots on letters count: a keyboard may have lost them. Nothing may be missing or added, so text that was typed only in part, or twice, or in another keyboard's letters
    (y for z) is not it.
    """
    one, other = _shape(seen), _shape(text)
    if len(other) < _UNCERTAIN:
        return "".join(seen.split()) == "".join(text.split())
    return one == other


def _shape(text: str) -> str:
    plain = unicodedata.normalize("NFC", "".join(text.split()))
    return "".join(_AS.get(letter, letter) for letter in plain)
