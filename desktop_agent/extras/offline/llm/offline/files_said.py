"""Files and folders as people name them: "draft.txt in my Documents", "the Work folder inside Documents"."""

from __future__ import annotations

import re

from desktop_agent.extras.offline.llm.offline import words
from desktop_agent.extras.offline.llm.offline.addresses import ADDRESS
from desktop_agent.extras.offline.llm.offline.quoting import QUOTED, Masked

IN = r"(?:,?\s+(?:(?:that|which)(?:'s|\s+is|\s+are)\s+)?(?:in|inside|within|from|under|out\s+of|on|of))"
_NOUN = (
    r"(?:(?:text|csv|plain|existing|data)\s+)?(?:file|document|spreadsheet|sheet|note|list|table|workbook)"
)
_CALLED = r"(?:\s+(?:called|named|with the name))?"
_THE = r"(?:(?:the|my|our|a|this|that)\s+)?"
FILE_NAME = rf"(?:{QUOTED}|[^\s,;:/\"“”]+\.[A-Za-z][A-Za-z0-9]{{0,4}})"
"""A quotation or a word with a suffix."""
FILE = rf"{_THE}(?:{_NOUN}{_CALLED}\s+)?(?P<name>{FILE_NAME}|(?:~|\.\.?)?/\S+)(?:{IN}\s+(?P<folder>[^,;]+?))?"
"""A file, with the folder it is in; the groups are for `file_of`."""
_FOLDER = re.compile(
    rf"{_THE}(?P<inner>{QUOTED}|[^,;]+?)(?:\s+(?:folder|directory))?\s+(?:in|inside|within|under)\s+(?P<outer>.+)",
    re.I | re.S,
)
_FIRST = re.compile(rf"{_THE}(?:folder|directory)\s+(?:called\s+|named\s+)?(?P<name>.+)", re.I | re.S)
_LAST = re.compile(rf"{_THE}(?P<name>.+?)\s+(?:folder|directory)", re.I | re.S)


def folder_of(fragment: str | None, masked: Masked, *, sure: bool = False) -> str | None:
    """The folder that words name, as `Scene.path` takes it; None when they name none, "" when nothing was said.

    Unless it is `sure` that a folder is meant, a bare name must look like one.
    """
    text = (fragment or "").strip().rstrip(".,")
    if not text:
        return ""
    nested = _FOLDER.fullmatch(text)
    if nested:
        outer = folder_of(nested["outer"], masked, sure=sure)
        return f"{outer}/{_bare(nested['inner'], masked)}" if outer else None
    literal = masked.literal(re.sub(rf"^{_THE}", "", text, flags=re.I))[0]
    if re.match(r"~|/", literal):
        return literal.rstrip("/") or "/"
    if words.known_folder(literal):
        return words.known_folder(literal)
    named = _FIRST.fullmatch(text) or _LAST.fullmatch(text)
    if named:
        return _bare(named["name"], masked)
    plain = re.fullmatch(r"[\w.()+-]+(?:[ /][\w.()+-]+){0,3}", literal)
    return _path(literal) if plain and (sure or literal[:1].isupper()) else None


def _path(literal: str) -> str:
    """ "Documents/Work" begins with a folder that every desktop has."""
    head, slash, rest = literal.partition("/")
    return f"{words.known_folder(head) or head}{slash}{rest}"


def _bare(fragment: str, masked: Masked) -> str:
    literal = masked.literal(re.sub(rf"^{_THE}", "", fragment.strip(), flags=re.I))[0]
    return re.sub(r"^(?:called|named)\s+", "", literal, flags=re.I)


def file_of(found: re.Match[str], masked: Masked, *, bare: bool = False) -> tuple[str, str] | None:
    """Name and folder of a matched FILE; None when it is an address or the folder is none.

    A `bare` name is one whose folder was not said.
    """
    name, quoted = masked.literal(found["name"])
    name = name.rstrip(".,")
    if not name or (ADDRESS.fullmatch(name) and not quoted):
        return None
    folder = "" if bare else folder_of(found["folder"], masked, sure=True)
    if folder is None:
        return None
    if "/" in name and not folder:
        head, _, name = name.rpartition("/")
        folder = head or "/"
    return (name, folder) if name else None
