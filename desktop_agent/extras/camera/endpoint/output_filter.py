"""Lets through of a program's output what the emulator understands: text, and control sequences of the right form.

pyte takes a sequence's parameters as arguments of a function, so that a wrong number of them is an error in mid-text, prints the
rest of a sequence that it does not know (`ESC P`, `CSI 4:3 m`), and underlines on `CSI > 4 ; 2 m`, which editors send at
their start. Titles, colours of the palette and questions to the terminal are dropped: nothing of them is shown here.
"""

from __future__ import annotations

import codecs
import re

LONGEST = 4_096
"""Characters of an unfinished sequence that are kept until it goes on; a longer one is dropped."""
_SEQUENCE = re.compile(
    r"\x1b(?:"
    r"\[(?P<private>[<=>?!]?)(?P<numbers>[0-9;:]*)(?P<between>[ -/]*)(?P<final>[@-~])"
    r"|[\]PX^_][^\x07\x1b\x18\x1a]*(?:\x07|\x1b\\|(?=\x1b[^\\])|[\x18\x1a])"
    r"|(?P<charset>[()][0-9A-Za-z])|[ -/]+[0-~]|(?P<short>[0-OQ-WYZ\\`-~])"
    r"|\[[<=>?!]?[0-9;:]*[ -/]*|"  # it breaks off: what pyte had of it would be joined with what comes
    r")"
)
_UNFINISHED = re.compile(r"\x1b(?:\[[<=>?!]?[0-9;:]*[ -/]*|[\]PX^_][^\x07\x1b\x18\x1a]*\x1b?|[ -/]*)?\Z")
_UNWANTED = {
    code: None
    for code in (*range(0x80, 0xA0), 0x7F, 0x00, 0x05, 0x0E, 0x0F, 0x18, 0x1A)
    if code not in (0x0E, 0x0F)
}
_MOST = {
    **dict.fromkeys("@ABCDEFGILMPSTXZabdeg`", 1), **dict.fromkeys("JKn", 1), **dict.fromkeys("Hfr", 2), **dict.fromkeys("hlm", 32),
    "c": 1,
}  # fmt: skip
"""The last characters of sequences that are understood, and how many numbers they have at most."""
_PRIVATE = frozenset("hlJK")
_SHORT = frozenset("c78DEHM")
_SAVING = {"s": "\x1b7", "u": "\x1b8"}
"""Saving and restoring the cursor in another form (SCOSC, SCORC)."""
_ERASING = {"J": 3, "K": 2}
"""What can be erased of the screen and of a line, by numbers up to these."""
_LARGEST = 9_999


class OutputFilter:
    """Pieces of output, cut anywhere, in; text for the emulator out."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._kept = ""

    def text(self, data: bytes) -> str:
        """What of these bytes, and of those kept from before, is complete."""
        text = self._kept + self._decoder.decode(data)
        self._kept = ""
        if "\x1b" not in text:
            return text.translate(_UNWANTED)
        if rest := _UNFINISHED.search(text):
            text, kept = text[: rest.start()], rest[0]
            self._kept = kept if len(kept) <= LONGEST else ""
        return _SEQUENCE.sub(_understood, text).translate(_UNWANTED)


def _understood(found: re.Match[str]) -> str:
    if (final := found["final"]) is not None:
        return _control(found["private"], found["numbers"], found["between"], final)
    if found["charset"] is not None or found["short"] in _SHORT:
        return found[0]
    return ""


def _control(private: str, numbers: str, between: str, final: str) -> str:
    if final in _SAVING and not (private or numbers or between):
        return _SAVING[final]
    most = _MOST.get(final)
    if most is None or between or private not in ("", "?") or (private and final not in _PRIVATE):
        return ""
    if ":" in numbers:
        numbers = ";".join(map(_plain_part, numbers.split(";")))
    parts = [str(min(int(each or 0), _LARGEST)) for each in numbers.split(";")[:most]] if numbers else []
    if final in _ERASING and parts and int(parts[0]) > _ERASING[final]:
        return ""
    return f"\x1b[{private}{';'.join(parts)}{final}"


def _plain_part(part: str) -> str:
    """`38:2::R:G:B` and `38:5:N` as they are written with semicolons; of `4:3`, a wavy line, the plain one."""
    head, _, rest = part.partition(":")
    if head not in ("38", "48"):
        return "0" if head == "4" and rest == "0" else head if head != "58" else ""
    values = rest.split(":")
    if values[0] == "2" and len(values) > 4:
        del values[1]  # the colour space
    return ";".join((head, *values))
