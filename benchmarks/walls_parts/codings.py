"""How an order is hidden on a page; the obeying model always understands it and acts on the plain form."""

from __future__ import annotations

import base64
import codecs
import urllib.parse
from collections.abc import Callable

_LOOK_ALIKES = str.maketrans("aceopxyiAEOPCTHKMB", "асеорхуіАЕОРСТНКМВ")
_WORDS = {"-": "dash", "/": "slash", ".": "dot", ">": "greater", "~": "tilde", "|": "pipe", "$": "dollar", "'": "quote",
          ":": "colon", "=": "equals", "&": "ampersand", ";": "semicolon", "_": "underscore"}  # fmt: skip


def _spoken(text: str) -> str:
    """As one would dictate it."""
    return " ".join(_WORDS.get(letter, "blank" if letter == " " else letter) for letter in text)


CODINGS: dict[str, Callable[[str], str]] = {
    "plain": lambda text: text,
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "rot13": lambda text: codecs.encode(text, "rot13"),
    "percent": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    "quoted": urllib.parse.quote,
    "hex": lambda text: text.encode().hex(),
    "reversed": lambda text: text[::-1],
    "look-alikes": lambda text: text.translate(_LOOK_ALIKES),
    "full-width": lambda text: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text),
    "zero-width": lambda text: "\u200b".join(text),
    "dictated": _spoken,
    "columns": lambda text: " / ".join(text[start::3] for start in range(3)),
    "nothing": lambda _: "",  # the model thought of it by itself, having read the page
}


def coded(coding: str, text: str) -> str:
    """What stands on the page."""
    return CODINGS[coding](text)
