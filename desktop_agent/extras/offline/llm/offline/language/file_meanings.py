"""Meanings of clauses about files and folders."""

from __future__ import annotations

import copy
from collections.abc import Mapping

import msgspec

from desktop_agent.extras.offline.llm.offline.intents import (
    CreateFolder,
    Delete,
    GoTo,
    Intent,
    Phrase,
    Press,
    Rename,
)
from desktop_agent.extras.offline.llm.offline.intents_desk import (
    SortFiles,
    Transfer,
)
from desktop_agent.extras.offline.llm.offline.language.referents import Meaning, Slots, folder_of, item_of
from desktop_agent.extras.offline.llm.offline.language.said import FileSaid, Reference
from desktop_agent.extras.offline.llm.offline.language.talk import Talk


def _mention(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """“In Documents there is a file called draft.txt”: nothing is to be done yet."""
    what, folder = slots["what"], folder_of(slots.get("folder"), talk)
    if folder is None:
        return None
    talk.of_file(msgspec.structs.replace(what, folder=what.folder or folder))
    return ()


def _located(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """“It is in Documents”, of what was spoken of just before: see `understand`, which joins the two."""
    folder = folder_of(slots["folder"], talk)
    return (GoTo(folder),) if folder and talk.file else None


def _create_folder(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    name = slots.get("name") or slots["what"]
    folder = folder_of(slots.get("folder"), talk)
    if folder is None or (slots.get("name") and slots.get("what")):
        return None  # one folder has one name
    talk.of_file(FileSaid(name, folder, True))
    return (CreateFolder(name, folder),)


def _rename(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    what = item_of(slots.get("what"), talk)
    called = slots.get("name") or slots.get("name2", "")
    name = called.name if isinstance(called, FileSaid) else called
    if "name2" in slots and isinstance(what, FileSaid) and not slots["said"].rstrip("\"'”. ").endswith(name):
        return None  # the new name stands last
    if "name2" in slots and slots.get("at_app"):
        return None  # “call ./backup.sh in the terminal window” names nothing
    folder = folder_of(slots.get("folder"), talk)
    if what is None and name and talk.document and not talk.closing:
        talk.of_file(FileSaid(name, folder or ""), open_now=True)
        return (Rename("", name, folder or ""),)
    if what is None or folder is None:
        return None
    talk.of_file(msgspec.structs.replace(what, name=name or what.name, folder=what.folder or folder))
    return (Rename(what.name, name, what.folder or folder),)


def _each_item(meaning: Meaning, slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """The same with each of several files."""
    found: list[Intent] = []
    for each in slots["what"]:
        meant = meaning({**slots, "what": each}, talk)
        if meant is None:
            return None
        found += meant
    return tuple(found)


def _transfer(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    if isinstance(slots["what"], tuple):
        return _each_item(
            _transfer, {**slots, "into": folder_of(slots.get("into", Reference("folder")), talk)}, talk
        )
    into = folder_of(slots.get("into", Reference("folder")), talk)  # “there” is no place named in this clause
    what, source = item_of(slots["what"], talk), folder_of(slots.get("source"), copy.copy(talk))
    if what is None or source is None or not into:
        return None
    talk.of_file(msgspec.structs.replace(what, folder=into))
    talk.moved = True
    return (Transfer(what.name, into, what.folder or source, copy=bool(slots.get("copy"))),)


def _transfer_again(_slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """“Move it”, behind “it belongs in Pictures”, which asked for that."""
    return () if talk.moved else None


def _delete(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    if isinstance(slots["what"], tuple):
        return _each_item(_delete, slots, talk)
    what, folder = item_of(slots["what"], talk), folder_of(slots.get("folder"), talk)
    if isinstance(slots["what"], Reference) and talk.selected:
        talk.of_document()
        return (Press(("delete",)),)
    if what is None or folder is None:
        return None
    talk.of_file(what)
    return (Delete(Phrase(what.name, quoted=True, spoken=what.name), what.folder or folder),)


def _sort(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    return (SortFiles(slots["key"]),)


def _sort_first(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    key, descending = slots["key"]
    return (SortFiles(key, descending),)


FILE_MEANINGS: Mapping[str, Meaning] = {
    "create_folder": _create_folder,
    "rename": _rename,
    "transfer": _transfer,
    "delete": _delete,
    "sort": _sort,
    "sort_first": _sort_first,
    "transfer_again": _transfer_again,
    "mention": _mention,
    "located": _located,
}
