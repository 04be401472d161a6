"""Lists the forms in which a secret may stand in a text: as it is, escaped, or encoded."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

SHORTEST = 4
_LINE = 16
"""Characters from which on a single line of a secret is looked for, too."""
_CORE = 8
"""Letters of base64 from which on they are looked for; fewer would be found by chance."""


def forms_of(secret: str) -> tuple[str, ...]:
    """The secret in every form of at least SHORTEST characters, without repeats, the longest first.

    The lines of a secret of several lines (a private key, say) count as secrets of their own when long enough.
    """
    found = {secret, *(line for line in secret.splitlines() if len(line) >= _LINE)}
    for each in tuple(found):
        found.update(_written(each))
        found.update(_in_base64(each.encode("utf-8", "surrogatepass")))
    return tuple(sorted((each for each in found if len(each) >= SHORTEST), key=len, reverse=True))


def _written(text: str) -> Iterator[str]:
    """Escaped for JSON (once, and again inside another JSON), Python, HTML and addresses."""
    for ascii_only in (True, False):
        once = json.dumps(text, ensure_ascii=ascii_only)[1:-1]
        yield from (once, once.replace("/", r"\/"), json.dumps(once, ensure_ascii=ascii_only)[1:-1])
    yield repr(text)[1:-1]
    yield html.escape(text)
    yield html.escape(text, quote=False)
    bare = text.encode("utf-8", "surrogatepass")
    yield from (quote(bare, safe=""), quote(bare), quote_plus(bare))


def in_address(secret: str) -> str:
    """A regular expression that matches it in an address, whichever of its letters are percent-encoded."""
    return "".join(_letter_in_address(letter) for letter in secret)


def _letter_in_address(letter: str) -> str:
    coded = "".join(f"%{byte:02X}" for byte in letter.encode("utf-8", "surrogatepass"))
    plus = r"|\+" if letter == " " else ""
    return f"(?:{re.escape(letter)}|(?i:{coded}){plus})"


def _in_base64(data: bytes) -> Iterator[str]:
    """In base64 by itself, and the letters of base64 that it alone decides inside longer data (`user:secret`)."""
    found = {base64.b64encode(data).decode().rstrip("=")}
    for before in (1, 2):
        letters = base64.b64encode(b"\0" * before + data).decode().rstrip("=")
        found.add(letters[(8 * before + 5) // 6 : 8 * (before + len(data)) // 6])
    whole = 8 * len(data) // 6
    found.add(base64.b64encode(data).decode()[:whole])
    for each in found:
        if len(each) >= _CORE or each == base64.b64encode(data).decode().rstrip("="):
            yield each
            yield each.replace("+", "-").replace("/", "_")
