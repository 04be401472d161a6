"""Tells whether a text discloses a secret in another form: reversed, spaced out, in other letters' case, encoded.

The exact forms, which can be cut out of a text, are in `encodings`; what is found here hides the whole text.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from urllib.parse import unquote_plus

LEAST = 6
"""Characters of a secret without its blanks and signs from which on it is looked for within other text."""
SHORTEST = 3
_DEPTH = 2
_STRIDES = (2, 3)
_MOST = 20_000
_CODED = re.compile(r"[A-Za-z0-9+/_-]{4,}={0,2}")
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2}[\s:,-]?){3,}")


def disclosed_by(text: str, secrets: Iterable[str]) -> bool:
    """Can one of the secrets be read in the text, however it is written?"""
    return bool(cores := cores_of(secrets)) and _discloses(text[:_MOST], cores)


def cores_of(secrets: Iterable[str]) -> tuple[str, ...]:
    """The letters and digits of secrets that have enough of them."""
    return tuple(core for each in secrets if len(core := squeezed(each)) >= SHORTEST)


@lru_cache(maxsize=20_000)
def _discloses(text: str, cores: tuple[str, ...]) -> bool:
    least = min(map(len, cores))
    return len(text) >= least and any(_shows(each, cores) for each in _readings(text, _DEPTH, least))


def spread_over(texts: Sequence[str], secrets: Iterable[str]) -> frozenset[int]:
    """The numbers of the texts that together spell a secret, as one letter each does."""
    parts = [squeezed(each) for each in texts]
    joined = "".join(parts)
    ends = [sum(map(len, parts[: number + 1])) for number in range(len(parts))] if joined else []
    found: set[int] = set()
    for core in {core for each in secrets if len(core := squeezed(each)) >= LEAST}:
        for wanted in (core, core[::-1]):
            for start in _places(joined, wanted):
                found |= {
                    number
                    for number, end in enumerate(ends)
                    if parts[number] and end > start and end - len(parts[number]) < start + len(wanted)
                }
    return frozenset(found)


def squeezed(text: str) -> str:
    """The letters and digits of a text alone, in one case."""
    return "".join(char for char in text.casefold() if char.isalnum())


def _shows(text: str, cores: tuple[str, ...]) -> bool:
    tight = squeezed(text)
    if len(tight) < SHORTEST:
        return False
    ways = [tight]
    for stride in _STRIDES:  # h.u.n.t is squeezed already; here is hxuxnxt
        ways += [squeezed(text[first::stride]) for first in range(stride)]
    ways += [each[::-1] for each in ways]
    return any(core in way if len(core) >= LEAST else core == way for core in cores for way in ways)


def _readings(text: str, depth: int, least: int) -> Iterator[str]:
    """The text, and what is in it when it or a part of at least so many bytes is decoded, up to `depth` times."""
    yield text
    if depth == _DEPTH:
        yield codecs.encode(text, "rot13")
    if not depth:
        return
    for decoded in dict.fromkeys(_decoded(text, least)):
        if len(decoded) >= least and decoded != text:
            yield from _readings(decoded, depth - 1, least)


def _decoded(text: str, least: int) -> Iterator[str]:
    if "%" in text or "+" in text:
        yield unquote_plus(text)
    if "&" in text:
        yield html.unescape(text)
    if "\\" in text:
        yield re.sub(r"\\[ux]\{?([0-9A-Fa-f]{2,6})\}?", lambda found: _character(found[1]), text)
    for found in _HEX.findall(text):
        yield _text_of(bytes.fromhex(re.sub(r"[^0-9A-Fa-f]", "", found)))
    for written in dict.fromkeys((text, text[::-1], "".join(text.split()))):
        for found in _CODED.findall(written):
            if len(found) * 3 >= least * 4 - 3:
                yield _from_base64(found)


def _from_base64(coded: str) -> str:
    bare = coded.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return _text_of(base64.b64decode(bare + "=" * (-len(bare) % 4)))
    except (binascii.Error, ValueError):
        return ""


def _character(digits: str) -> str:
    number = int(digits, 16)
    return chr(number) if number < 0x110000 else ""


def _text_of(data: bytes) -> str:
    """The text that bytes are; "" when they are none, as most words read as base64."""
    text = data.decode("utf-8", "replace")
    return "" if "\ufffd" in text[:-1] or not text.strip("\ufffd\n\r\t ").isprintable() else text


def _places(text: str, part: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)
