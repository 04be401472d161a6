"""JSON: a reply is one JSON object, also inside one Markdown fence."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from desktop_agent.protocol.chat_messages import Message, words_of
from desktop_agent.protocol.dialects.base import Dialect, Unreadable
from desktop_agent.protocol.reply import short
from desktop_agent.protocol.schema import describe, reply_schema

MAX_NOTE = 4_000
_LANGUAGE = re.compile(rb"[ \t]*[A-Za-z0-9_+-]*[ \t]*\r?")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_REPLACEMENT = "\ufffd"
_FORM = """\
Answer with exactly one JSON object and nothing else:
{"notes": "...", "high_level": ["..."], "scope": [], "step": 1, "actions": [{"op": "..."}]}
- notes: one short sentence for the user about what you see or do now; empty when there is nothing new.
- high_level: the whole plan as short steps a person understands, in the first answer that acts and whenever it changes;
  empty while it stays as it is.
- scope: what the plan needs beside what you may do already, as KIND:WHAT:HOW, like app:mousepad:act or
  site:https://shop.example:fill (look, fill or act). The user is asked, once in a run; empty when nothing is needed.
- step: the number of the step you are working on, from 1.
- actions: the next few operations, at most MAX_ACTIONS. They are carried out in order, then you get a new look.

Operations:
"""
REMINDER = (
    'Exactly one JSON object with "notes", "high_level", "scope", "step" and "actions", no prose and no Markdown '
    "around it, only the listed operations with their fields."
)
"""What a model is told when its last answer could not be used."""


def parse(text: bytes) -> object:
    """The data of one JSON object. Raises Unreadable for any other text, and for a name that stands twice."""
    body = _unfenced(text)
    try:
        data = msgspec.json.decode(body)
        json.loads(body.decode(), object_pairs_hook=_each_once, parse_int=str)
        return data
    except Unreadable:
        raise
    except (msgspec.DecodeError, ValueError) as error:
        raise Unreadable(f"not one JSON object: {error}") from error


def prompt(operations: Sequence[str], max_actions: int) -> str:
    """What the system prompt says about the form of an answer and the operations in it."""
    return _FORM.replace("MAX_ACTIONS", str(max_actions)) + describe(operations)


def schema(operations: Iterable[str], max_actions: int) -> dict[str, Any]:
    """The JSON Schema that a server may hold the model's text to."""
    return reply_schema(operations, max_actions)


def lacking(text: str) -> tuple[str, ...]:
    """Those of high_level and actions that the object leaves out; empty lists are there."""
    data = parse(text.encode())
    return tuple(name for name in ("high_level", "actions") if isinstance(data, dict) and name not in data)


def messages(text: str) -> tuple[Message, ...]:
    """The whole text as a command: notes and plan stand in the same object as the operations."""
    return (words_of(text, "command"),)


def _each_once(pairs: list[tuple[str, Any]]) -> None:
    """Which of two values of one name is meant would be a guess."""
    seen: set[str] = set()
    for name, _ in pairs:
        if name in seen:
            raise Unreadable(f"{short(name)} stands twice in one object")
        seen.add(name)


def _unfenced(raw: bytes) -> bytes:
    """JSON inside one Markdown fence is JSON still; any other text around it is refused."""
    body = raw.strip()
    first, line_feed, rest = body.partition(b"\n")
    if line_feed and first.startswith(b"```") and rest.endswith(b"```") and _LANGUAGE.fullmatch(first[3:]):
        return rest[:-3]
    return body


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


JSON = Dialect("json", parse, prompt, REMINDER, schema, NoteStream, messages, lacking=lacking)
"""What models speak unless they say otherwise."""
decode = JSON.decode
