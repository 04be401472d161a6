"""Whether text that was recognised in a picture may be a text that is known, for all that recognisers confuse."""

from __future__ import annotations

import re
import unicodedata

_LOOK_ALIKE = ("0oO°", "1lI|!i", "5sS", "cC", "vV", "wW", "xX", "zZ2", "uU", "kK", "pP", "8B", ",.", "'`’‘´", '"“”„', "-–—_")  # fmt: skip
_AS = {letter: group[0] for group in _LOOK_ALIKE for letter in group}
_UNCERTAIN = 3
"""Texts of fewer letters are not told apart by a recogniser at all when one of them may be another."""


def reads_as(seen: str, text: str, *, foreign: bool = False) -> bool:
    """Can what was read be this very text: the same letters in the same order, look-alikes and blanks apart?

    Dots on letters count: a keyboard may have lost them; with `foreign` the recogniser knows no letters but those of
    English, and leaves dots out or takes such a letter for one that it knows. Nothing may be missing or added, so text that was typed only in part, or twice, or in another keyboard's letters
    (y for z) is not it.
    """
    one, other = _shape(seen), _shape(text)
    if len(other) < _UNCERTAIN:
        return "".join(seen.split()) == "".join(text.split())
    pattern = [_pattern(letter, foreign) for letter in unicodedata.normalize("NFC", "".join(text.split()))]
    return re.fullmatch("".join(pattern), one) is not None


def _pattern(letter: str, foreign: bool) -> str:
    if letter == "!":  # its dot is faint, and it is a stroke high up without
        return f"[{_AS['!']}{_AS['’']}]"
    return _foreign(_AS.get(letter, letter)) if foreign else re.escape(_AS.get(letter, letter))


def _foreign(letter: str) -> str:
    """What a recogniser for English may take a letter for, as a pattern."""
    if letter == "ß":
        return r"(?:[ß8Bbft1&65]|f5|f&|55)"
    bare = unicodedata.normalize("NFD", letter)[0]
    if letter.isascii() or not bare.isascii():
        return re.escape(letter)
    others = "".join(
        unicodedata.normalize("NFC", bare + mark)
        for mark in ("", "\u0300", "\u0301", "\u0302", "\u0303", "\u0308")
    )
    return f"[{others}{_AS.get(bare, bare)}]"


def _shape(text: str) -> str:
    plain = unicodedata.normalize("NFC", "".join(text.split()))
    return "".join(_AS.get(letter, letter) for letter in plain)
