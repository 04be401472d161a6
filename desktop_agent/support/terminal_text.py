"""Makes text from models, pages and windows safe to print in a terminal: it can neither steer it nor fake our lines.

A terminal carries out control sequences: they move the cursor over what stands there, set its title, write the
clipboard (OSC 52), hide a link behind other words (OSC 8). Characters for the other writing direction show a
line in another order than it is. None of them ever reaches the terminal; each is shown by its name instead.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

MOST = 4_000
"""Characters of one text in the live feed; what is asked for is never cut."""
# Controls (C0 without tab and line feed, DEL, C1), invisible formats and tags, writing directions, line and
# paragraph separators, surrogates, private and unassigned characters: all that is not drawn as itself.
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
_SHORT = {"\x1b": "ESC", "\r": "CR", "\x07": "BEL", "\x08": "BS", "\x9b": "CSI", "\x9d": "OSC", "\x7f": "DEL"}
_PLAIN = re.compile(r"[\n\t\x20-\x7e]*\Z")
_MARKS = 3
"""Marks that may be stacked on one character; more reach into the lines above."""


def hidden(char: str) -> bool:
    """Is this a character that is not drawn as itself? Tab and line feed are not among them."""
    return char not in "\n\t" and unicodedata.category(char) in _HIDDEN


def visible(text: str) -> str:
    """The text with every control, invisible and bidirectional character shown as `‹ESC›` or `‹U+202E›`.

    Tabs become four blanks; line feeds stay. Of many marks stacked on one character only some are kept.
    """
    if _PLAIN.match(text):
        return text.replace("\t", "    ")
    shown: list[str] = []
    stacked = 0
    for char in text:
        stacked = stacked + 1 if unicodedata.combining(char) else 0
        if char == "\t":
            shown.append("    ")
        elif hidden(char):
            shown.append(f"‹{_SHORT.get(char) or f'U+{ord(char):04X}'}›")
        elif stacked <= _MARKS:
            shown.append(char)
    return "".join(shown)


def one_line(text: str, most: int = MOST) -> str:
    """The visible text in one line, so that nothing in it stands where a line of ours would; cut, saying so."""
    return _cut(" ".join(visible(text).split()), most)


def block(text: str, indent: str, width: int = 0, most: int = 0) -> list[str]:
    """The visible text in lines that all begin with `indent`, none wider than `width` columns (0: as they are).

    Wrapped here and not by the terminal, which would begin each further line where ours begin. `most` characters
    are shown, 0 for all.
    """
    shown = visible(text)
    lines = (_cut(shown, most) if most else shown).split("\n")
    room = max(20, width - _columns(indent)) if width else 0
    return [f"{indent}{part}" for line in lines for part in (_parts(line, room) if room else (line,))]


def _parts(line: str, room: int) -> Iterator[str]:
    """The line in parts that fit, broken at a blank where there is one in the last third."""
    while _columns(line) > room:
        end = _fitting(line, room)
        blank = line.rfind(" ", end * 2 // 3, end)
        end = blank + 1 if blank > 0 else end
        yield line[:end]
        line = line[end:]
    yield line


def _fitting(line: str, room: int) -> int:
    """How many characters of the line fit, at least one."""
    used = 0
    for at, char in enumerate(line):
        used += _columns(char)
        if used > room:
            return max(1, at)
    return len(line)


def _columns(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]} … ({len(text) - most:,} more characters)"


def json_safe(line: str) -> str:
    r"""A line of JSON with the same meaning in which hidden characters are written as `\u202e`."""
    return "".join(_escaped(char) if hidden(char) else char for char in line)


def _escaped(char: str) -> str:
    """As JSON writes it: characters above U+FFFF as a pair of surrogates."""
    units = char.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
