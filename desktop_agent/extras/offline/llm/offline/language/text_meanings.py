"""Meanings of clauses about texts: typing, notes, saving, and changes of what is open."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from desktop_agent.extras.offline.llm.offline.intents import (
    Clear,
    Fill,
    Intent,
    Open,
    Phrase,
    Press,
    Save,
    TypeText,
    Window,
)
from desktop_agent.extras.offline.llm.offline.intents_desk import (
    DeleteLine,
    OpenFile,
    Replace,
    SetCell,
    WriteAt,
)
from desktop_agent.extras.offline.llm.offline.language.fact_meanings import copied, keep, result_into
from desktop_agent.extras.offline.llm.offline.language.lexicon import lexicon
from desktop_agent.extras.offline.llm.offline.language.referents import (
    EDITOR,
    Meaning,
    Slots,
    folder_of,
    spoken_of,
)
from desktop_agent.extras.offline.llm.offline.language.said import FileSaid, Reference, Text
from desktop_agent.extras.offline.llm.offline.language.talk import Talk
from desktop_agent.extras.offline.llm.offline.language.window_meanings import pressed_keys


def _write(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    text, into = _cased(slots), slots.get("into")
    if (
        isinstance(into, Phrase)
        and slots.get("all") is None
        and into.kind == "field"
        and not into.name
        and re.match("all|both|each|every", into.spoken)
    ):
        return (Fill(into, text.text),) if isinstance(text, Text) else None
    if isinstance(text, Reference):
        if talk.topic != "result" and slots["verb"] == "paste":
            return pressed_keys({"keys": ("ctrl", "v"), "what": into}, talk)
        if talk.topic == "thing" and talk.told_of and (read := copied(talk)):
            typed = result_into(text, into, talk)
            return (*read, *typed) if typed else None
        return result_into(text, into, talk)
    if isinstance(into, FileSaid):
        talk.of_file(into, open_now=True)
        return (Open(EDITOR), TypeText(text.text), Save(into.name, into.folder))
    if isinstance(into, str):
        talk.of_app(into)
        talk.of_document()
        return (TypeText(text.text, into),)
    if isinstance(into, Reference) and talk.topic == "thing" and talk.thing and talk.thing.kind == "field":
        return (Fill(talk.thing, text.text),)
    if isinstance(into, Reference) and into.to == "new":
        talk.of_document()
        return (Open(EDITOR), TypeText(text.text))
    if isinstance(into, Phrase) and into.name.isdecimal() and not into.kind and text.text.isdecimal():
        return None  # “add 12 to 30” is a sum
    if isinstance(into, Phrase):
        if not (text.marked or into.kind) and lexicon().describes(slots["said"]):
            return None  # “write hello in French”
        talk.thing = into
        sure = text.marked or bool(into.kind) or slots.get("into:by") == "into"
        return (TypeText(text.text, spoken_of(into), sure, "" if sure else slots["said"]),)
    talk.of_document()
    return (TypeText(text.text, line_first=bool(slots.get("new_line"))),)


def _cased(slots: Slots) -> Any:
    """The text in the letters that were asked for."""
    text = slots["text"]
    if not isinstance(text, Text):
        return text
    written = (
        text.text.upper() if slots.get("upper") else text.text.lower() if slots.get("lower") else text.text
    )
    return msgspec.structs.replace(text, text=written.title() if slots.get("title") else written)


def _note(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """A note or list of its own: the editor is brought up for it."""
    talk.of_document()
    text = slots.get("text") or slots.get("text2")
    if text is None:
        return None
    if slots["kind"] == "list" and not text.marked:
        items = [each.strip() for each in re.split(r",|;|\band\b", text.text)]
        text = Text("\n".join(each for each in items if each))
    typed = (Open(EDITOR), TypeText(text.text))
    file = slots.get("file")
    if isinstance(file, FileSaid):
        talk.of_file(file, open_now=True)
        return (*typed, Save(file.name, file.folder))
    name = slots.get("name")
    return (*typed, Save(name, folder_of(slots.get("folder"), talk) or "")) if name else typed


def _create_file(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    file, text, name = slots["file"], slots.get("text") or slots.get("said_text"), slots.get("name")
    if isinstance(file, Reference) or (isinstance(file, FileSaid) and file.is_folder):
        return None
    if name and file.name:
        return None  # “I want draft.txt to be called …” makes no file
    if talk.topic == "folder" and "." not in (name or file.name) and text is None:
        return None  # “another one”, of folders
    folder = folder_of(slots.get("folder"), talk)
    if folder is None:
        return None
    if not name and not file.name:
        talk.of_file(FileSaid("", folder), open_now=True)
    called = (
        FileSaid(name, file.folder or folder)
        if name
        else msgspec.structs.replace(file, folder=file.folder or folder)
    )
    talk.of_file(called, open_now=True)
    typed = (TypeText(text.text),) if isinstance(text, Text) else (TypeText("", result=True),) if text else ()
    saved = (Save(called.name, called.folder),) if called.name or called.folder else ()
    return (Open(EDITOR), *typed, *saved)


def _save(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    what, folder = slots.get("what"), folder_of(slots.get("folder"), talk)
    said, name = slots.get("name", ""), ""
    if folder is None:
        return None
    if isinstance(said, FileSaid):
        name, folder = said.name, said.folder or folder
    else:
        name = said
    if isinstance(what, FileSaid):
        talk.of_file(FileSaid(name, folder), open_now=True)
        return (OpenFile(what.name, what.folder), Save(name, folder))
    if isinstance(what, Reference) and (what.to == "result" or talk.topic == "result"):
        return keep({"what": Reference("result"), "into": FileSaid(name, folder)}, talk) if name else None
    talk.of_file(FileSaid(name, folder), open_now=True)
    return (Save(name, folder),)


def _save_open(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """A file that is being worked on is saved under its own name, in its own window."""
    file = slots["what"]
    if file.is_folder or file.folder:
        return None
    talk.of_document()
    return (Window("switch", file.name, "application"), Save())


def _append(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    text, file = slots["text"], slots.get("file")
    opened: tuple[Intent, ...] = ()
    known = talk.topic == "result" or (isinstance(text, Reference) and text.named and talk.result)
    if isinstance(file, FileSaid):
        if file.is_folder or file.is_new:
            return None
        opened = (OpenFile(file.name, file.folder),)
        talk.of_file(file, open_now=True)
    talk.of_document()
    at = "start" if slots.get("start") else "end"
    if isinstance(text, Reference):
        if not known or (slots.get("file:by") in ("to", "in", "into", "onto") and not slots.get("line")):
            return None  # “put it into sum.txt” makes that file
        return (*opened, WriteAt("", at, result=True), *((Save(),) if opened else ()))  # type: ignore[arg-type]
    return (*opened, WriteAt(text.text, at), *((Save(),) if opened else ()))  # type: ignore[arg-type]


def _replace(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    old, new, file = slots["old"], slots["new"], slots.get("file")
    opened: tuple[Intent, ...] = ()
    if isinstance(file, FileSaid):
        opened = (OpenFile(file.name, file.folder),)
        talk.of_file(file, open_now=True)
    talk.of_document()
    return (*opened, Replace(old.text, new.text))


def _delete_line(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    (number, holding), file = slots["line"], slots.get("file")
    opened: tuple[Intent, ...] = ()
    if isinstance(file, FileSaid):
        opened = (OpenFile(file.name, file.folder),)
        talk.of_file(file, open_now=True)
    talk.of_document()
    return (*opened, DeleteLine(number, holding))


def _clear_file(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    file = slots["what"]
    if file.is_folder:
        return None
    talk.of_file(file, open_now=True)
    return (OpenFile(file.name, file.folder), Clear(Phrase("")))


def _cell(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    file = slots.get("file")
    opened = (OpenFile(file.name, file.folder),) if isinstance(file, FileSaid) else ()
    talk.of_document()
    return (*opened, SetCell(slots["cell"], slots["value"]))


def _said(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """A clause that was read as a whole."""
    asked: tuple[Intent, ...] = slots["intents"]
    if isinstance(asked[0], OpenFile):
        talk.of_file(FileSaid(asked[0].name, asked[0].folder), open_now=True)
    talk.of_document()
    return asked


def _copy_all(_slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    talk.selected = True
    return (Press(("ctrl", "a")), Press(("ctrl", "c")))


TEXT_MEANINGS: Mapping[str, Meaning] = {
    "write": _write,
    "note": _note,
    "create_file": _create_file,
    "save": _save,
    "append": _append,
    "replace": _replace,
    "delete_line": _delete_line,
    "cell": _cell,
    "copy_all": _copy_all,
    "clear_file": _clear_file,
    "save_open": _save_open,
    "said": _said,
}
