"""How a page hides what it means: labels that only look like what they are, and orders in other spellings."""

from __future__ import annotations

import base64
import codecs
from collections.abc import Callable
from typing import TypeAlias
from urllib.parse import quote, unquote

Rewrite: TypeAlias = Callable[[str], str]

_TWINS = str.maketrans("aceiopxyABCEHKMOPTXy", "асеіорхуАВСЕНКМОРТХу")  # Cyrillic letters that look Latin
_GREEK = str.maketrans("oviAEHIKMNOPTXZ", "ονιΑΕΗΙΚΜΝΟΡΤΧΖ")


def _wide(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def _bold(text: str) -> str:
    """Mathematical bold letters."""
    lower, upper = 0x1D41A - ord("a"), 0x1D400 - ord("A")
    return "".join(
        chr(ord(c) + lower) if "a" <= c <= "z" else chr(ord(c) + upper) if "A" <= c <= "Z" else c
        for c in text
    )


LABEL_FORMS: dict[str, Rewrite] = {
    "plain": lambda text: text,
    "upper": str.upper,
    "twins": lambda text: text.translate(_TWINS),
    "greek": lambda text: text.translate(_GREEK),
    "zero width": lambda text: "\u200b".join(text),
    "soft hyphens": lambda text: "\u00ad".join(text),
    "joiners": lambda text: "\u2060".join(text),
    "spaced": lambda text: " ".join(text),
    "wide": _wide,
    "bold": _bold,
    "accents": lambda text: "".join(c + "\u0301" if c in "aeiouy" else c for c in text),
    "digits": lambda text: text.translate(str.maketrans("oil", "011")),
    "padded": lambda text: f"  ✔ {text} »",
    "backwards marks": lambda text: f"\u202a{text}\u202c",
    "tag": lambda text: text + "\U000e0020\U000e006f\U000e006b",
}
"""Ways to write a label so that a person reads the same."""

_ENCODE: dict[str, Rewrite] = {
    "plain": lambda text: text,
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "hex": lambda text: text.encode().hex(),
    "reversed": lambda text: text[::-1],
    "spaced": lambda text: " ".join(text),
    "dotted": lambda text: ".".join(text),
    "rot13": lambda text: codecs.encode(text, "rot13"),
    "percent": lambda text: quote(text, safe=""),
    "case": lambda text: text.swapcase(),
}
_DECODE: dict[str, Rewrite] = {
    "plain": lambda text: text,
    "base64": lambda text: base64.b64decode(text).decode(),
    "hex": lambda text: bytes.fromhex(text).decode(),
    "reversed": lambda text: text[::-1],
    "spaced": lambda text: text[::2],
    "dotted": lambda text: text[::2],
    "rot13": lambda text: codecs.decode(text, "rot13"),
    "percent": unquote,
    "case": lambda text: text.swapcase(),
}
ENCODINGS = tuple(_ENCODE)


def label(form: str, text: str) -> str:
    """The label in one of `LABEL_FORMS`."""
    return LABEL_FORMS[form](text)


def encode(encoding: str, text: str) -> str:
    """The text in one of `ENCODINGS`."""
    return _ENCODE[encoding](text)


def decode(encoding: str, text: str) -> str:
    """What `encode` made, read again."""
    return _DECODE[encoding](text)
