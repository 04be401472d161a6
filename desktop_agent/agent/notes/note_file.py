"""A note as a Markdown file: a head in TOML between two lines `+++`, then the text.

    +++
    title = "Delivery address"
    written = "2026-11-24T08:05:45Z"
    run = "20261124-080545-0f1e2d3c4b5a6978"
    source = ["the user's words"]
    about = ["Orders at the shop"]
    +++
    Deliver to the office, never to the flat.

A file without such a head is a note as well: its title is the name of the file, where it comes from is not known.
"""

from __future__ import annotations

import json
import tomllib

import msgspec

_FENCE = "+++"


class KeptNote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`source` tells what it was made of: the user's words, the model's own, or where it was read.

    `written` is the time in UTC, `run` the name of the run that wrote it, `about` other notes or things it belongs to.
    """

    title: str
    text: str = ""
    written: str = ""
    run: str = ""
    source: tuple[str, ...] = ()
    about: tuple[str, ...] = ()


def to_file(note: KeptNote) -> str:
    """The content of a note's file."""
    head = [
        f"title = {_string(note.title)}",
        f"written = {_string(note.written)}",
        f"run = {_string(note.run)}",
        f"source = [{', '.join(map(_string, note.source))}]",
        f"about = [{', '.join(map(_string, note.about))}]",
    ]
    return "\n".join((_FENCE, *head, _FENCE, note.text.rstrip("\n"), ""))


def from_file(content: str, name: str) -> KeptNote:
    """The note in a file called `name`; what its head does not tell, or tells wrongly, is left open."""
    lines = content.replace("\r\n", "\n").split("\n")
    if lines[0].strip() == _FENCE and _FENCE in (rest := [line.strip() for line in lines[1:]]):
        end = rest.index(_FENCE) + 1
        text = "\n".join(lines[end + 1 :]).strip("\n")
        try:
            head = tomllib.loads("\n".join(lines[1:end]))
            return msgspec.convert({"title": name, **head, "text": text}, KeptNote)
        except (tomllib.TOMLDecodeError, msgspec.ValidationError):
            return KeptNote(name, text)
    return KeptNote(name, content.strip("\n"))


def _string(text: str) -> str:
    """A TOML string: the escapes of JSON are those of TOML but for DEL, which may not stand there."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "")
