"""The note of a reply, read out of its JSON while it streams."""

from __future__ import annotations

from collections.abc import Callable

MAX_NOTE = 4_000
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_REPLACEMENT = "\ufffd"


class NoteStream:
    """Fed with pieces of a JSON object split anywhere, passes on the text of its field `notes`.

    Only the outermost object's field counts, and at most MAX_NOTE characters of it. Whether the whole
    is valid is not judged here: decoding the complete reply does that.
    """

    def __init__(self, on_note: Callable[[str], None]) -> None:
        self._on_note = on_note
        self._ready: list[str] = []
        self._left = MAX_NOTE
        self._over = False
        self._depth = 0
        self._key_next = False
        self._key = ""
        self._kind = ""  # of the string being read: key, note or other; empty outside strings
        self._escaped = False
        self._hex: str | None = None
        self._high = ""  # first half of a surrogate pair, until its second half comes

    @property
    def started(self) -> bool:
        """True once a piece of the note was passed on."""
        return self._left < MAX_NOTE

    def feed(self, piece: str) -> None:
        """Read on; passes on whatever of the note this piece completes, in one call."""
        for char in piece:
            if self._over:
                break
            if self._kind:
                self._in_string(char)
            else:
                self._between(char)
        if self._ready:
            text = "".join(self._ready)
            self._ready.clear()
            self._on_note(text)

    def _between(self, char: str) -> None:
        if char == '"' and self._depth:
            self._kind = self._kind_of_string()
        elif char == "{" or (char == "[" and self._depth):
            self._depth += 1
            self._key_next = self._depth == 1
        elif char in "}]" and self._depth:
            self._depth -= 1
            self._over = self._depth == 0
        elif char in ",:" and self._depth == 1:
            self._key_next = char == ","

    def _kind_of_string(self) -> str:
        if self._depth == 1 and self._key_next:
            self._key = ""
            return "key"
        return "note" if self._depth == 1 and self._key == "notes" else "other"

    def _in_string(self, char: str) -> None:
        if self._hex is not None:
            self._hex += char
            if len(self._hex) == 4:
                self._take(_character(self._hex))
                self._hex = None
        elif self._escaped:
            self._escaped = False
            if char == "u":
                self._hex = ""
            else:
                self._take(_ESCAPES.get(char, char))
        elif char == "\\":
            self._escaped = True
        elif char == '"':
            self._end_string()
        else:
            self._take(char)

    def _take(self, char: str) -> None:
        if self._kind == "key" and len(self._key) < 16:
            self._key += char
        elif self._kind == "note":
            self._take_note(char)

    def _take_note(self, char: str) -> None:
        if self._high:
            high, self._high = self._high, ""
            if "\udc00" <= char <= "\udfff":
                self._pass_on(_pair(high, char))
                return
            self._pass_on(_REPLACEMENT)
        if "\ud800" <= char <= "\udbff":
            self._high = char
        else:
            self._pass_on(_REPLACEMENT if "\udc00" <= char <= "\udfff" else char)

    def _pass_on(self, char: str) -> None:
        if self._left:
            self._left -= 1
            self._ready.append(char)

    def _end_string(self) -> None:
        if self._kind == "note":
            if self._high:
                self._pass_on(_REPLACEMENT)
            self._over = True
        self._kind = ""


def _character(digits: str) -> str:
    try:
        return chr(int(digits, 16))
    except ValueError:
        return _REPLACEMENT


def _pair(high: str, low: str) -> str:
    return (high + low).encode("utf-16", "surrogatepass").decode("utf-16")
