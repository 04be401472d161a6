"""Decodes a text from the usual encodings: reversed, rot13, percent signs, hex, base64, spaced letters.

Provenance compares what a model types with what was read: an instruction that was read in base64 and is
typed in plain letters still comes from the screen. Only the usual encodings are covered; others can
always be made up.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from collections.abc import Iterator
from urllib.parse import unquote

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{6,}={0,2}")
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2}[ :]?){4,}")
_LETTERS = re.compile(r"(?s)(?:\S([ .\-_*|·])){4,}\S")
_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
_DECODED = 20_000
"""Characters of a text that are decoded; the rest of a longer one is left alone."""


def readings(text: str) -> Iterator[str]:
    """The text itself, and its decoding by every encoding that it, or a part of it, looks like."""
    yield text
    text = text[:_DECODED]
    if len(text) < 3:
        return
    yield text[::-1]
    yield codecs.encode(text, "rot13")
    if _PERCENT.search(text):
        yield unquote(text)
    for found in _HEX.finditer(text):
        yield _printed(bytes.fromhex(re.sub("[ :]", "", found[0])))
    for found in _BASE64.finditer(text):
        yield from _base64(found[0])
    if _LETTERS.search(text):
        yield from (text[start::2] for start in (0, 1))


def _base64(token: str) -> Iterator[str]:
    plain = token.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        decoded = base64.b64decode(plain + "=" * (-len(plain) % 4))
    except (binascii.Error, ValueError):
        return
    said = _printed(decoded)
    if len(said) >= 3:
        yield said


def _printed(data: bytes) -> str:
    """The bytes as text, "" when fewer than four in five characters are printable."""
    text = data.decode("utf-8", "replace")
    sound = sum(letter.isprintable() and letter != "\ufffd" for letter in text)
    return text if sound >= 0.8 * len(text) else ""
