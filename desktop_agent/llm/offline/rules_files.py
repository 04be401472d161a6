"""Clauses about files by name: open, edit in, rename, move, copy, throw away, sort."""

from __future__ import annotations

import re
from functools import partial

from desktop_agent.llm.offline import apps, words
from desktop_agent.llm.offline.files_said import FILE, FILE_NAME, IN, file_of, folder_of, is_trash
from desktop_agent.llm.offline.intents import CreateFolder, Delete, GoTo, Intent, Phrase, Rename, Window
from desktop_agent.llm.offline.intents_desk import ListFiles, OpenFile, SortFiles, Transfer
from desktop_agent.llm.offline.quoting import QUOTED, Masked
from desktop_agent.llm.offline.rules_text import ReadClause, Rule, _rule

_SORTED_BY = {"size": "size", "name": "name", "type": "type", "kind": "type", "extension": "type",
              "title": "name", "alphabet": "name", "date": "date", "time": "date", "modified": "date",
              "modification": "date", "age": "date"}  # fmt: skip
_KNOWN = re.compile(r"\b(?:folder|directory)\b|^(?:~|/)", re.I)
_RID = re.compile(r"get|bin|discard|erase|throw\s+out", re.I)
_PLACE = re.compile(FILE, re.I | re.S)
_THE = re.compile(r"^(?:the|a|my)\s+", re.I)
_LEFT = r"(?:(?:the|my|a|this|that)\s+)?"
_ITEM = rf"{_LEFT}(?P<noun>(?:(?:text|csv|image|pdf|empty|old|new|word|data)\s+)?(?:file|folder|directory|document|picture|photo)\s+)?(?:called\s+|named\s+)?(?P<what>{QUOTED}|[^,;]+?)(?P<noun2>\s+(?:file|folder|directory))?"
_FROM = rf"(?:{IN}\s+(?P<folder>[^,;]+?))?"


def _open(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    named = found["folder"] or ""
    program = not found["within"] and _is_application(named)
    file = file_of(found, masked, bare=program)
    if file is None:
        return None
    if program:
        return (OpenFile(*file, masked.literal(_THE.sub("", named))[0]),)
    within = masked.literal(re.sub(r"^(?:the|a|my)\s+", "", found["within"] or "", flags=re.I))[0]
    return (OpenFile(*file, within),)


def _is_application(words: str) -> bool:
    """ "LibreOffice Calc", "the text editor", "mousepad": is that a program, not a folder?"""
    bare = _THE.sub("", words.strip())
    return bool(apps.sort_of(bare)) or any(apps.sort_of(each) == "office" for each in bare.split())


def place_of(fragment: str, masked: Masked) -> OpenFile | None:
    """The file in "in letter.txt, replace …"; None when the words name no file."""
    found = _PLACE.fullmatch(fragment.strip())
    file = file_of(found, masked) if found else None
    return OpenFile(*file) if file else None


def item_of(found: re.Match[str], masked: Masked) -> tuple[str, str] | None:
    """Name and folder of a file or folder; None when the words may mean anything else."""
    name, quoted = masked.literal(found["what"])
    file = bool(found["noun"] or found["noun2"] or quoted or re.fullmatch(FILE_NAME, found["what"]))
    folder = folder_of(found["folder"], masked, sure=True)
    known = folder and (_KNOWN.search(found["folder"]) or words.known_folder(folder) or folder.isupper())
    if folder is None or not (file or (known and len(name.split()) <= 4)):
        return None
    return name, folder


def _rename(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    item = item_of(found, masked)
    name = masked.literal(found["new"])[0].rstrip(".")
    return (Rename(item[0], name, item[1]),) if item and name else None


def _transfer(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    item = item_of(found, masked)
    if item is None:
        return None
    if is_trash(found["into"]):
        return (Delete(Phrase(item[0], quoted=True, spoken=item[0]), item[1]),)
    into = folder_of(found["into"], masked)
    copy = found["verb"].lower() in ("copy", "duplicate")
    return (Transfer(item[0], into, item[1], copy),) if into else None


def _delete(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    item = item_of(found, masked)
    if item is None or not (item[1] or _RID.match(found[0])):
        return None
    return (Delete(Phrase(item[0], quoted=True, spoken=item[0]), item[1]),)


def _copy_of(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    item, into = item_of(found, masked), folder_of(found["into"], masked)
    return (Transfer(item[0], into, item[1], True),) if item and into else None


def _folder_alone(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    """ "Make a folder on the desktop": what it is called is said next."""
    folder = folder_of(found["folder"], masked, sure=True)
    return None if folder is None else (CreateFolder("", folder),)


def _folder_in_it(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    return (CreateFolder(masked.literal(found["name"])[0].rstrip("."), "it"),)


def _list(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    folder = folder_of(found["folder"], masked)
    return (ListFiles(folder),) if folder else None


def _shown_sorted(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    folder, by = folder_of(found["folder"], masked), _sort(found, masked)
    return (GoTo(folder), *by) if folder and by else None


def _edited(clause: ReadClause, found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    """ "Edit notes.txt: add a line", "in notes.txt replace …"."""
    file, inner = file_of(found, masked), clause(found["rest"], masked)
    return (OpenFile(*file), *inner) if file and inner else None


def _sort(found: re.Match[str], _masked: Masked) -> tuple[Intent, ...] | None:
    key = _SORTED_BY.get(
        re.sub(r"^(?:file|last|the|their|modification|modified)\s+", "", found["key"].lower())
    )
    down = found["order"] or ""
    if key is None:
        return None
    return (SortFiles(key, bool(re.search(r"desc|largest|biggest|newest|latest|revers", down, re.I))),)  # type: ignore[arg-type]


def _in_application(found: re.Match[str], masked: Masked) -> tuple[Intent, ...] | None:
    """ "Use the calculator for it": that application is wanted."""
    name = masked.literal(found["app"])[0]
    return (Window("switch", name, "application"),) if apps.sort_of(name) else None


def rules(clause: ReadClause) -> tuple[Rule, ...]:
    """The rules of this file; `clause` reads the clauses that stand inside another."""
    return (
        _rule(rf"(?:open|load|edit|view|open\s+up|bring\s+up|pull\s+up)\s+{FILE}(?:\s+(?:in|with|using)\s+(?P<within>(?:the\s+|a\s+|my\s+)?(?:libreoffice\s+\w+|text\s+editor|spreadsheet(?:\s+\w+)?|word\s+processor|web\s+browser|[\w-]+)))??", _open),
        _rule(rf"(?:open|edit|in)\s+{FILE}\s*:\s*(?P<rest>.+)", partial(_edited, clause)),
        _rule(rf"(?:in|inside|within)\s+{FILE},?\s+(?:please\s+)?(?P<rest>(?:replace|substitute|swap|change|add|append|delete|remove|put|write|insert|set|enter|type|turn|sum|total|calculate|find|correct|update)\s.+)", partial(_edited, clause)),
        _rule(rf"(?:put|place|make|save|create)\s+a\s+copy\s+of\s+{_ITEM}{_FROM}\s+(?:in)?(?:to|in|on)\s+(?P<into>[^,;]+)", _copy_of),
        _rule(rf"(?:create|make|add|set\s+up|i\s+(?:need|want|would\s+like))?\s*(?:me\s+)?(?:a|one)\s+(?:new\s+)?(?:folder|directory)(?:{IN}\s+(?P<folder>(?:(?!\b(?:called|named)\b)[^,;])+))?", _folder_alone),
        _rule(rf"(?:in(?:side)?\s+(?:it|that|there),?\s+(?:(?:create|make|add|put)\s+)?(?:a|another)\s+(?:new\s+)?(?:sub-?)?(?:folder|directory)\s+(?:called\s+|named\s+)?)(?P<name>{QUOTED}|.+)", _folder_in_it),
        _rule(r"(?:list|show(?:\s+me)?|tell\s+me|name|give\s+me|say|read(?:\s+out)?)\s+(?:all\s+)?(?:the\s+)?(?:names\s+of\s+)?(?:all\s+)?(?:the\s+)?(?:files(?:\s+and\s+folders)?|contents?|file\s+names|items)\s+(?:in|of|inside)\s+(?P<folder>[^,;]+)", _list),
        _rule(r"(?:(?:tell\s+me\s+)?(?:what|which)\s+(?:files\s+|is\s+|are\s+)*(?:are\s+|is\s+)?(?:there\s+)?(?:in|inside)|what\s+does)\s+(?P<folder>(?:the\s+|my\s+)?(?:[\w/~-]+\s+){1,3}?(?:folder|directory)|(?:my|the)\s+(?:documents|downloads|desktop|pictures|music|videos))(?:\s+(?:contains?|holds?|has))?", _list),
        _rule(r"(?:show|open|list|display)\s+(?:me\s+)?(?P<folder>[^,;]+?),?\s+(?:sorted|ordered|arranged)\s+by\s+(?P<key>[\w\s]+?)(?P<order>,?\s+(?:descending|ascending|(?:the\s+)?(?:largest|biggest|newest|latest|smallest|oldest)\s+(?:one\s+)?first))?", _shown_sorted),
        _rule(r"(?:sort|order|arrange)\s+by\s+(?P<key>[\w\s]+?)(?P<order>)", _sort),
        _rule(rf"(?:rename|retitle)\s+{_ITEM}{_FROM}\s+(?:to|as|into)\s+(?:be\s+)?(?P<new>{QUOTED}|.+)", _rename),
        _rule(rf"(?:change|alter)\s+the\s+name\s+of\s+{_ITEM}{_FROM}\s+(?:to|into)\s+(?P<new>{QUOTED}|.+)", _rename),
        _rule(rf"(?:give)\s+{_ITEM}{_FROM}\s+the\s+(?:new\s+)?name\s+(?P<new>{QUOTED}|.+)", _rename),
        _rule(rf"(?P<verb>move|copy|put|transfer|place|send|throw|duplicate|drop)\s+{_ITEM}{_FROM}\s+(?:(?:over\s+)?(?:in)?to|inside|in)\s+(?P<into>[^,;]+)", _transfer),
        _rule(rf"(?:delete|remove|trash|bin|throw\s+away|throw\s+out|get\s+rid\s+of|discard|erase)\s+{_ITEM}{_FROM}", _delete),
        _rule(r"(?:sort|order|arrange|list)\s+(?:the\s+|all\s+|my\s+)?(?:files?|folders?|items?|entries|contents?|them|it|everything|list|view|(?:files\s+)?in\s+(?:the|this)\s+folder)(?:\s+(?:there|here|in\s+(?:it|the\s+folder)))?\s+by\s+(?P<key>[\w\s]+?)(?P<order>,?\s+(?:in\s+)?(?:\(?(?:descending|ascending|(?:the\s+)?(?:largest|biggest|newest|latest|smallest|oldest)\s+(?:one\s+)?first|reversed?|reverse order).*))?", _sort),
        _rule(r"(?:use|take|do\s+(?:it|that|this)\s+(?:in|with))\s+(?P<app>(?:the|a|my)\s+[\w\s]+?)(?:\s+(?:for|to\s+do)\s+(?:it|that|this))?", _in_application),
    )  # fmt: skip
