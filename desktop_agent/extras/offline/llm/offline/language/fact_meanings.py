"""Meanings of clauses about what is worked out, run, read or told: sums, commands, facts, results."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from desktop_agent.extras.offline.llm.offline import arithmetic, words
from desktop_agent.extras.offline.llm.offline.intents import (
    Click,
    Compute,
    Intent,
    Open,
    Phrase,
    Read,
    Save,
    TypeText,
    Window,
)
from desktop_agent.extras.offline.llm.offline.intents_desk import (
    ListFiles,
    OpenFile,
    RunCommand,
)
from desktop_agent.extras.offline.llm.offline.language.referents import (
    EDITOR,
    Meaning,
    Slots,
    folder_of,
    spoken_of,
)
from desktop_agent.extras.offline.llm.offline.language.said import FileSaid, Reference
from desktop_agent.extras.offline.llm.offline.language.talk import Talk
from desktop_agent.extras.offline.llm.offline.phrase import phrase
from desktop_agent.extras.offline.llm.offline.quoting import Masked

_TERMINALS = ("terminal", "xterm", "console", "shell", "command line", "terminal window")
_DOCUMENT_TEXT = Phrase("", "document", spoken="text")


def _compute(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    talk.of_result()
    talk.command = False
    return (Compute(slots["sum"]),)


def _compute_verb(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    verb = "add" if slots["verb"].endswith(" of") else slots["verb"]
    verb = {"total": "add", "sum": "add", "sum up": "add"}.get(verb, verb)
    found = arithmetic.expression(f"{verb} {slots['operands']}")
    return _compute({"sum": found}, talk) if found else None


def _numbers(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    talk.numbers = slots["numbers"]
    return ()


def _compute_numbers(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """“Add them up”, of numbers that were named."""
    if not talk.numbers:
        return None
    sign = "*" if slots["verb"].startswith("multiply") else "+"
    return _compute({"sum": sign.join(talk.numbers)}, talk)


def _compute_keep(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    computed = _compute(slots, talk)
    kept = keep(slots, talk)
    return (*computed, *kept) if computed and kept else None


def _compute_into(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """What a sum comes to goes into a field, or into the text that is open."""
    computed = _compute(slots, talk)
    typed = result_into(Reference("result", True), slots["field"], talk) if computed else None
    return (*computed, *typed) if computed and typed else None


def keep(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """What was worked out, read or printed goes into a file."""
    into, folder = slots["into"], folder_of(slots.get("folder"), talk)
    if folder is None:
        return None
    into = msgspec.structs.replace(into, folder=into.folder or folder)
    what = slots.get("what")
    if talk.topic != "result" and not (isinstance(what, Reference) and what.named and talk.result):
        return None
    if talk.command:
        return (RunCommand("", False, into.name, into.folder),)
    talk.of_file(into, open_now=True)
    return (Open(EDITOR), TypeText("", result=True), Save(into.name, into.folder))


def _run(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    command = slots["command"]
    if "what" in slots and talk.file is None and talk.topic != "thing":
        return None
    plain = not re.search(r"\s--?\w|[|>~/]", f" {command}")
    if slots.get("sure") and plain and re.match(r"[\w-]+\.\w+\b", command):
        return None  # what a file says
    if not slots.get("where") and not slots.get("sure") and talk.app not in _TERMINALS and plain:
        return None
    talk.of_result()
    talk.command = True
    file = slots.get("into")
    if isinstance(file, FileSaid):
        return (RunCommand(command, False, file.name, file.folder),)
    return (RunCommand(command, tell=bool(slots.get("tell"))),)


def tell(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    what = slots.get("what")
    if isinstance(what, Reference) and talk.topic != "result":
        return (
            None
            if slots["said"].lower() in ("it", "that", "this")
            or (talk.topic == "document" and "it" in slots["said"].lower().split())
            else tell({**slots, "what": phrase(slots["said"], Masked(slots["said"]))}, talk)
        )
    if isinstance(what, Reference):
        return (Read(Phrase("", "result", spoken="result")),)
    known = talk.topic == "result"
    talk.of_result()
    talk.command = False
    if not isinstance(what, Phrase):
        return None
    origin = slots.get("origin")
    opened: tuple[Intent, ...] = (
        (OpenFile(origin.name, origin.folder),) if isinstance(origin, FileSaid) else ()
    )
    if isinstance(origin, str) and origin:
        opened = (Window("switch", origin, "application"),)
    whole = what.name.lower() == "screen" or (what.kind == "link" and what.spoken.lower() == "page")
    read = (*opened, Read(Phrase("") if whole else what))
    named, talk.fact = talk.fact, what.name
    if "into" not in slots:
        return read
    if (
        known and named and re.match(rf"{re.escape(what.name)}\b", named, re.I) and not opened
    ):  # “the price”, read before
        talk.fact = named
        return keep({"into": slots["into"], "folder": slots.get("folder")}, talk)
    kept = keep({"into": slots["into"], "folder": slots.get("folder")}, talk)
    return (*read, *kept) if kept else None


def _tell_it(_slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """“And tell me”, of what was worked out, read or run just before."""
    result = Read(Phrase("", "result", spoken="result"))
    if talk.topic != "result" and talk.numbers:
        computed = _compute({"sum": "+".join(talk.numbers)}, talk)
        return (*computed, result) if computed else None
    return (result,) if talk.topic == "result" else None


def _tell_behind(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    read = tell({name: each for name, each in slots.items() if name != "behind"}, talk)
    return (Click(slots["behind"]), *read) if read else None


def _behind(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    """“It's behind the link Oslo”, of what is to be read: see `understand`, which puts the click before it."""
    return (Click(slots["what"]),)


def _read_file(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """The whole text of a file, which is opened for it."""
    file, folder = slots["file"], folder_of(slots.get("folder"), talk)
    if file.is_folder or folder is None:
        return None
    talk.of_file(msgspec.structs.replace(file, folder=file.folder or folder), open_now=True)
    talk.of_result()
    return (OpenFile(file.name, file.folder or folder), Read(_DOCUMENT_TEXT))


def _read_shown(_slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """The whole text that is open in an editor."""
    talk.of_result()
    return (Window("switch", EDITOR, "application"), Read(_DOCUMENT_TEXT))


def _read_open(_slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """The whole text of the file that was opened, or spoken of, just now."""
    if talk.topic == "file" and talk.file:
        return _read_file({"file": talk.file}, talk)
    if talk.topic != "document":
        return None
    talk.of_result()
    return (Read(_DOCUMENT_TEXT),)


def copied(talk: Talk) -> tuple[Intent, ...] | None:
    """“Copy it”, of something that was spoken of and not selected: it is read."""
    if talk.thing is None:
        return None
    read, talk.thing = talk.thing, None
    talk.of_result()
    talk.command = False
    return (Read(read),)


def result_into(said: Reference, into: Any, talk: Talk) -> tuple[Intent, ...] | None:
    if talk.topic != "result" and not (said.named and talk.result):
        return None
    place = (
        ""
        if into is None or isinstance(into, Reference)
        else into
        if isinstance(into, str)
        else spoken_of(into)
    )
    talk.of_document()
    talk.typed = isinstance(into, Phrase)
    return (TypeText("", place, result=True),)


def _fill_result(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    return result_into(slots["text"], slots["field"], talk)


def _carry(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """What is read in one place is typed in another."""
    read = tell({name: each for name, each in slots.items() if name != "into"}, talk)
    if isinstance(slots["into"], Reference):  # to a page: what follows tells what is done with it there
        talk.announced = slots["said"]
        return (*read, Window("switch", "browser", "application")) if read else None
    typed = result_into(Reference("result", True), slots["into"], talk) if read else None
    return (*read, *typed) if read and typed else None


def _copy_value(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    into = slots["into"]
    if not isinstance(into, Phrase):
        return None
    return (Read(slots["what"]), TypeText("", spoken_of(into), result=True))


def _list_files(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    folder = folder_of(slots["folder"], talk)
    if not folder or (slots["folder"] == Reference("folder") and talk.topic in ("file", "document")):
        return None
    talk.of_result()
    talk.command = slots.get("at_app", talk.app) in _TERMINALS
    if talk.command:
        return (RunCommand(f"ls {words.shell_folder(folder)}"),)
    return (ListFiles(folder),)


FACT_MEANINGS: Mapping[str, Meaning] = {
    "keep": keep,
    "list_files": _list_files,
    "compute": _compute,
    "compute_into": _compute_into,
    "compute_verb": _compute_verb,
    "run": _run,
    "tell": tell,
    "tell_it": _tell_it,
    "read_file": _read_file,
    "read_open": _read_open,
    "read_shown": _read_shown,
    "tell_behind": _tell_behind,
    "fill_result": _fill_result,
    "behind": _behind,
    "carry": _carry,
    "numbers": _numbers,
    "compute_numbers": _compute_numbers,
    "copy_value": _copy_value,
    "compute_keep": _compute_keep,
}
