"""Turns a clause's reading into intents: one function for each meaning that frames of the lexicon name.

Each takes the slots and what was spoken of so far, and returns the intents, or None when the reading makes no
sense there ("it" with nothing before it). What was spoken of is noted in `Talk`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import msgspec

from desktop_agent.llm.offline import apps, arithmetic, words
from desktop_agent.llm.offline.intents import (
    Browse,
    Check,
    Choose,
    Clear,
    Click,
    ClickAt,
    Compute,
    CopyText,
    CreateFolder,
    Delete,
    Drag,
    Expand,
    Fill,
    Focus,
    GoTo,
    Help,
    Hover,
    Intent,
    Match,
    Menu,
    Open,
    Phrase,
    Press,
    Read,
    Rename,
    Save,
    Scroll,
    Search,
    Submit,
    TypeText,
    WaitFor,
    Window,
)
from desktop_agent.llm.offline.intents_desk import (
    DeleteLine,
    ListFiles,
    OpenFile,
    Replace,
    RunCommand,
    SetCell,
    SortFiles,
    Transfer,
    WriteAt,
)
from desktop_agent.llm.offline.language.said import FileSaid, Reference, Text
from desktop_agent.llm.offline.language.talk import Talk
from desktop_agent.llm.offline.phrase import phrase
from desktop_agent.llm.offline.quoting import Masked

Slots: TypeAlias = "dict[str, Any]"
Meaning: TypeAlias = "Callable[[Slots, Talk], tuple[Intent, ...] | None]"
_EDITOR = "text editor"
_CLICKED = ("link", "tab", "button", "icon", "combo", "menu", "menuitem", "result", "option")
_TO_BE_FOUND = re.compile(
    r"^(?:how (?:much|many)|whether|what the|which|when the)\b|\b(?:whose|which)\b|\?", re.I
)
"""Words that ask for what has to be read somewhere before it can be searched for."""
_PART = re.compile(r"\s+(?:field|box|list|menu|drop-?down|section|tab|page)$", re.I)


# ---- opening ---------------------------------------------------------------------------------


def _open(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    what, within = slots["what"], slots.get("within", "")
    if isinstance(what, Reference):
        what = talk.file
    if isinstance(what, FileSaid):
        if what.is_folder and within:
            return None  # a folder is gone to, in the window that is meant
        talk.of_file(what, open_now=not what.is_folder)
        if what.is_folder:
            return (GoTo(talk.folder),)
        return (OpenFile(what.name, what.folder, within),)
    if isinstance(what, Phrase):
        return _open_thing(what, within, talk, slots["said"].lower().rstrip(" ?.!"))
    if what is None:
        return None
    talk.of_app(what)
    return (Open(what, within),)


def _open_thing(what: Phrase, within: str, talk: Talk, said: str) -> tuple[Intent, ...] | None:
    if what.kind in _CLICKED or what.ordinal or what.near:
        talk.of_thing(what)
        return (Click(what, count=2 if what.kind == "icon" else 1),)
    if what.kind == "item" and what.name:
        return (Click(what, count=2),)
    if "on the" in said and re.search(r"\b(?:page|site|website)$", said):
        talk.of_thing(what)
        return (Click(msgspec.structs.replace(what, kind="link")),)  # what stands on a page is no program
    if (
        what.kind
        or apps.sort_of(within) == "terminal"
        or len(what.spoken.split()) > 3
        or what.name.lower() in ("over", "again", "off", "up", "down", "out")
    ):
        return None
    talk.of_app(what.name)
    return (Open(what.name, within),)


def _go(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    where = slots["where"]
    if isinstance(where, Phrase):
        if where.kind not in ("link", "tab", ""):
            return None
        talk.of_thing(where)
        return (Click(where if where.kind else msgspec.structs.replace(where, kind="link")),)
    if isinstance(where, Reference):
        where = talk.folder
    if not where:
        return None
    if slots.get("is_folder") or not re.search(r"\.\w|:", where):
        talk.of_folder(where)
    return (GoTo(where),)


def _go_folder(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    folder = _folder(slots["where"], talk)
    if folder is None:
        return None
    return (GoTo(folder), *((SortFiles(slots["key"]),) if "key" in slots else ()))


def _search(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    text, place = slots["text"].text, slots.get("place")
    if slots["verb"].startswith("look") and "at_address" in slots:
        return None
    if not slots["text"].marked and _TO_BE_FOUND.search(text):
        return None  # something to be found out first
    name = "" if place is None else place if isinstance(place, str) else _spoken(place)
    if isinstance(place, Phrase) and not place.kind and not slots["text"].marked and not slots.get("sure"):
        return (Search(text, name, False, slots["said"]),)
    return (Search(text, name),)


# ---- texts -----------------------------------------------------------------------------------


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
            return _keys({"keys": ("ctrl", "v"), "what": into}, talk)
        if talk.topic == "thing" and talk.told_of and (read := _copied(talk)):
            typed = _result_into(text, into, talk)
            return (*read, *typed) if typed else None
        return _result_into(text, into, talk)
    if isinstance(into, FileSaid):
        talk.of_file(into, open_now=True)
        return (Open(_EDITOR), TypeText(text.text), Save(into.name, into.folder))
    if isinstance(into, str):
        talk.of_app(into)
        talk.of_document()
        return (TypeText(text.text, into),)
    if isinstance(into, Reference) and into.to == "new":
        talk.of_document()
        return (Open(_EDITOR), TypeText(text.text))
    if isinstance(into, Phrase):
        sure = text.marked or bool(into.kind) or slots.get("into:by") == "into"
        return (TypeText(text.text, _spoken(into), sure, "" if sure else slots["said"]),)
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


def _result_into(said: Reference, into: Any, talk: Talk) -> tuple[Intent, ...] | None:
    if talk.topic != "result" and not (said.named and talk.result):
        return None
    place = (
        ""
        if into is None or isinstance(into, Reference)
        else into
        if isinstance(into, str)
        else _spoken(into)
    )
    talk.of_document()
    talk.typed = isinstance(into, Phrase)
    return (TypeText("", place, result=True),)


def _note(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """A note or list of its own: the editor is brought up for it."""
    talk.of_document()
    text = slots.get("text") or slots.get("text2")
    if text is None:
        return None
    if slots["kind"] == "list" and not text.marked:
        items = [each.strip() for each in re.split(r",|;|\band\b", text.text)]
        text = Text("\n".join(each for each in items if each))
    typed = (Open(_EDITOR), TypeText(text.text))
    file = slots.get("file")
    if isinstance(file, FileSaid):
        talk.of_file(file, open_now=True)
        return (*typed, Save(file.name, file.folder))
    name = slots.get("name")
    return (*typed, Save(name, _folder(slots.get("folder"), talk) or "")) if name else typed


def _create_file(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    file, text, name = slots["file"], slots.get("text") or slots.get("said_text"), slots.get("name")
    if isinstance(file, Reference) or (isinstance(file, FileSaid) and file.is_folder):
        return None
    folder = _folder(slots.get("folder"), talk)
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
    return (Open(_EDITOR), *typed, Save(called.name, called.folder))


def _mention(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """“In Documents there is a file called draft.txt”: nothing is to be done yet."""
    what, folder = slots["what"], _folder(slots.get("folder"), talk)
    if folder is None:
        return None
    talk.of_file(msgspec.structs.replace(what, folder=what.folder or folder))
    return ()


def _located(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """“It is in Documents”, of what was spoken of just before: see `understand`, which joins the two."""
    folder = _folder(slots["folder"], talk)
    return (GoTo(folder),) if folder and talk.file else None


def _compute_keep(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    computed = _compute(slots, talk)
    kept = _keep(slots, talk)
    return (*computed, *kept) if computed and kept else None


def _save(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    what, folder = slots.get("what"), _folder(slots.get("folder"), talk)
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
        return _keep({"what": Reference("result"), "into": FileSaid(name, folder)}, talk) if name else None
    talk.of_file(FileSaid(name, folder), open_now=True)
    return (Save(name, folder),)


def _keep(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """What was worked out, read or printed goes into a file."""
    into, folder = slots["into"], _folder(slots.get("folder"), talk)
    if folder is None:
        return None
    into = msgspec.structs.replace(into, folder=into.folder or folder)
    what = slots.get("what")
    if talk.topic != "result" and not (isinstance(what, Reference) and what.named and talk.result):
        return None
    if talk.command:
        return (RunCommand("", False, into.name, into.folder),)
    talk.of_file(into, open_now=True)
    return (Open(_EDITOR), TypeText("", result=True), Save(into.name, into.folder))


def _append(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    text, file = slots["text"], slots.get("file")
    opened: tuple[Intent, ...] = ()
    if isinstance(file, FileSaid):
        if file.is_folder:
            return None
        opened = (OpenFile(file.name, file.folder),)
        talk.of_file(file, open_now=True)
    talk.of_document()
    at = "start" if slots.get("start") else "end"
    if isinstance(text, Reference):
        if talk.topic != "result":
            return None
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


# ---- files and folders -----------------------------------------------------------------------


def _create_folder(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    name = slots.get("name") or slots["what"]
    folder = _folder(slots.get("folder"), talk)
    if folder is None or (slots.get("name") and slots.get("what")):
        return None  # one folder has one name
    talk.of_file(FileSaid(name, folder, True))
    return (CreateFolder(name, folder),)


def _rename(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    what = _item(slots.get("what"), talk)
    called = slots.get("name") or slots.get("name2", "")
    name = called.name if isinstance(called, FileSaid) else called
    if "name2" in slots and isinstance(what, FileSaid) and not slots["said"].rstrip("\"'”. ").endswith(name):
        return None  # the new name stands last
    folder = _folder(slots.get("folder"), talk)
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
        return _each_item(_transfer, slots, talk)
    what, source, into = (
        _item(slots["what"], talk),
        _folder(slots.get("source"), talk),
        _folder(slots["into"], talk),
    )
    if what is None or source is None or not into:
        return None
    talk.of_file(msgspec.structs.replace(what, folder=into))
    talk.moved = True
    return (Transfer(what.name, into, what.folder or source, copy=bool(slots.get("copy"))),)


def _delete(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    if isinstance(slots["what"], tuple):
        return _each_item(_delete, slots, talk)
    what, folder = _item(slots["what"], talk), _folder(slots.get("folder"), talk)
    if isinstance(slots["what"], Reference) and talk.selected:
        talk.of_document()
        return (Press(("delete",)),)
    if what is None or folder is None:
        return None
    talk.of_file(what)
    return (Delete(Phrase(what.name, quoted=True, spoken=what.name), what.folder or folder),)


def _list_files(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    folder = _folder(slots["folder"], talk)
    if not folder:
        return None
    talk.of_result()
    talk.command = slots.get("at_app", talk.app) in _TERMINALS
    if talk.command:
        return (RunCommand(f"ls {words.shell_folder(folder)}"),)
    return (ListFiles(folder),)


def _sort(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    return (SortFiles(slots["key"]),)


def _item(what: Any, talk: Talk) -> FileSaid | None:
    if isinstance(what, FileSaid):
        return what
    return talk.file


def _folder(said: Any, talk: Talk) -> str | None:
    """The folder that is meant, "" when nothing was said, None when it cannot be told."""
    if said is None:
        return ""
    if isinstance(said, Reference):
        return talk.folder or None
    talk.folder = said
    return str(said)


# ---- sums, commands, facts -------------------------------------------------------------------


def _compute(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    talk.of_result()
    talk.command = False
    return (Compute(slots["sum"]),)


def _compute_verb(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    verb = {"total": "add", "sum": "add", "sum up": "add"}.get(slots["verb"], slots["verb"])
    found = arithmetic.expression(f"{verb} {slots['operands']}")
    return _compute({"sum": found}, talk) if found else None


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


_TERMINALS = ("terminal", "xterm", "console", "shell", "command line", "terminal window")


def _tell(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    what = slots.get("what")
    if isinstance(what, Reference) and talk.topic != "result":
        return (
            None
            if slots["said"].lower() in ("it", "that", "this")
            or (talk.topic == "document" and "it" in slots["said"].lower().split())
            else _tell({**slots, "what": phrase(slots["said"], Masked(slots["said"]))}, talk)
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
    read = (*opened, Read(Phrase("") if what.name.lower() == "screen" else what))
    named, talk.fact = talk.fact, what.name
    if "into" not in slots:
        return read
    if (
        known and named and re.match(rf"{re.escape(what.name)}\b", named, re.I) and not opened
    ):  # “the price”, read before
        talk.fact = named
        return _keep({"into": slots["into"], "folder": slots.get("folder")}, talk)
    kept = _keep({"into": slots["into"], "folder": slots.get("folder")}, talk)
    return (*read, *kept) if kept else None


# ---- things on the screen --------------------------------------------------------------------


def _click(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    what = _thing(slots["what"], talk)
    if what is None:
        return None
    talk.of_thing(what)
    if what.kind == "link":
        talk.of_page()
    held = tuple(slots.get("modifiers", ()))
    return (Click(what, slots.get("button", "left"), slots.get("count", 1), slots.get("times", 1), held),)


def _press(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    return (Press(slots["keys"], slots.get("times", 1)),)


def _fill(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    what = slots["field"]
    if isinstance(what, Reference):
        return None
    talk.announced = ""
    talk.of_thing(what)
    return (Fill(what, slots["value"]),)


def _choose(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    option, source = slots["option"], slots.get("source")
    if option.kind == "label" and not option.name:
        return None
    talk.of_thing(option)
    return (Choose(option, _source(source)),)


def _source(source: Any) -> str:
    named = isinstance(source, Phrase) and (source.name or source.near)
    return _PART.sub("", _spoken(source)) if named else ""


def _check(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    what, on = slots["what"], None if slots.get("turn") else slots.get("on", True)
    if slots["denied"]:
        on = not on
    found = _thing(what, talk)
    if found is None:
        return None
    if slots.get("agreed"):
        found = msgspec.structs.replace(found, spoken=f"{slots['verb']} {slots['said']}")
    if found.near and found.side == "near" and not found.name and found.kind in ("field", "checkbox"):
        found = Phrase(found.near, spoken=found.spoken)
    talk.of_thing(found)
    return (Check(found, on),)


def _clear(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    if slots.get("what") is True:
        return (Clear(Phrase("trash")),)
    what = _thing(slots.get("what", Reference("it")), talk)
    return (Clear(what or Phrase("")),)


def _focus(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    return (Focus(slots["what"]),)


_NO_TARGETS = ("position", "place", "top", "bottom", "start", "end", "front", "spot")


def _drag(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    if slots["onto"].name.lower() in _NO_TARGETS:
        return None
    talk.of_thing(slots["what"])
    return (Drag(slots["what"], slots["onto"]),)


def _hover(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    return (Hover(slots["what"]),)


def _scroll(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    until = slots.get("until")
    if isinstance(until, Phrase):
        talk.of_thing(until)
        return (Scroll(until=_spoken(until)),)
    if end := slots.get("end"):
        over = slots.get("over")
        return (Scroll(end, unit="end", over=_spoken(over) if over else ""),)
    amount, unit = slots.get("amount", (5, "notches"))
    over = slots.get("over")
    return (Scroll(slots.get("direction", "down"), amount, unit, over=_over(over) if over else ""),)


def _over(what: Phrase) -> str:
    return what.name or what.spoken


def _menu(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    return (Menu(tuple(slots["path"])),)


def _submit(_slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    mine, talk.mine, talk.announced = talk.mine, (), ""
    return (*(Fill(field, value) for field, value in mine), Submit())


def _log_in(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    at = (GoTo(slots["where"]),) if slots.get("where") else ()
    user, password = slots["user"], slots["password"]
    return (
        *at, Fill(Phrase("username", spoken="username"), user), Fill(Phrase("password", spoken="password"), password),
        Submit(),
    )  # fmt: skip


def _thing(what: Any, talk: Talk) -> Phrase | None:
    return talk.thing if isinstance(what, Reference) else what


def _spoken(what: Any) -> str:
    return what.spoken or what.name if isinstance(what, Phrase) else str(what)


# ---- windows ---------------------------------------------------------------------------------


def _window(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    if "by_click" in slots:
        return (Click(slots["by_click"]),)
    spoken_of = isinstance(slots.get("what"), Reference) and talk.topic == "app"
    if isinstance(at := slots.get("what"), int):
        if not talk.listed or at > len(talk.listed):
            return None
        slots = {**slots, "what": talk.listed[at if at < 0 else at - 1]}
    if slots["verb"] == "switch" and isinstance(slots.get("what"), Reference) and not spoken_of:
        return None
    what, thing = _what_window(talk.app if spoken_of else slots.get("what"))
    if what is None:
        return None
    if thing == "application" and what:
        talk.of_app(what)
    unsaved = "discard" if slots.get("discard") else "save" if slots.get("save") else ""
    return (Window(slots["verb"], what, thing, unsaved),)  # type: ignore[arg-type]


def _what_window(what: Any) -> tuple[str | None, str]:
    if what is None or isinstance(what, Reference):
        return "", "window"
    if isinstance(what, FileSaid):
        return what.name, "application"
    if isinstance(what, str):
        return what, "application"
    words_of = what.spoken.lower().split()
    last = words_of[-1] if words_of else ""
    name = " ".join(what.spoken.split()[:-1])
    kinds = {"window": "window", "tab": "tab", "dialog": "dialog", "popup": "dialog", "pop-up": "dialog", "program": "application",
             "app": "application", "application": "application", "menu": "menu", "message": "dialog"}  # fmt: skip
    if last not in kinds:
        return (what.name, "application") if what.name and not what.kind else (None, "")
    plain = name.lower() in ("current", "active", "open", "front", "the", "this", "that")
    return "" if plain else name, kinds[last]


def _keys(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """A command that every program has on the same keys."""
    where = slots.get("what")
    if tuple(slots["keys"]) == ("ctrl", "a"):
        talk.selected = True
    if tuple(slots["keys"]) == ("ctrl", "c") and slots["verb"] in _COPY_IT and not talk.selected:
        return _copied(talk)
    focus = (Focus(where),) if isinstance(where, Phrase) and where.kind == "field" else ()
    return (*focus, Press(tuple(slots["keys"]), slots.get("times", 1)))


def _said(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """A clause that was read as a whole."""
    asked: tuple[Intent, ...] = slots["intents"]
    if isinstance(asked[0], OpenFile):
        talk.of_file(FileSaid(asked[0].name, asked[0].folder), open_now=True)
    talk.of_document()
    return asked


def _into_basket(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    number = words.number(slots["what"].name.split()[0]) if slots["what"].name else None
    if number is not None and number != 1:
        return None
    name = f"Add to {'basket' if 'basket' in slots else 'cart'}"
    return (Click(Phrase(name, "button", near=slots["what"].name, side="near", spoken=name)),)


_COPY_IT = ("copy it", "copy that", "copy this", "copy them")


def _copied(talk: Talk) -> tuple[Intent, ...] | None:
    """“Copy it”, of something that was spoken of and not selected: it is read."""
    if talk.thing is None:
        return None
    read, talk.thing = talk.thing, None
    talk.of_result()
    talk.command = False
    return (Read(read),)


def _state(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """“The calculator is open”: nothing is to be done, but it is spoken of."""
    shown = re.search(
        r"\b(?:shows|has|offers|displays|contains)\s+(?:an?|the)\s+(.+?)[. ]*$", slots["said"], re.I
    )
    shown = shown or re.match(
        r"there(?:'s| is) (?:an?|the|some)\s+(.+?)\s+(?:in|on)\s+the\b", slots["said"], re.I
    )
    if shown:
        talk.of_thing(phrase(shown[1], Masked(shown[1])))
        talk.told_of = True
    named = re.match(r"(?:the|my|an?)\s+(.+?)\s+(?:is|are)\b", slots["said"], re.I)
    if named and apps.sort_of(named[1]):
        talk.of_app(named[1])
    listed = re.search(
        r"[,:]\s*(?:an?|the|my)\s+([\w ]+?)\s+and\s+(?:an?|the|my)\s+([\w ]+?)[. ]*$", slots["said"], re.I
    )
    if listed and all(map(apps.sort_of, listed.groups())):
        talk.listed = listed.groups()
    return ()


def _told(_slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """How things are, without a name for any: nothing is to be done, and "it" is what nobody can tell any more."""
    talk.forget()
    return ()


def _tell_it(_slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """“And tell me”, of what was worked out, read or run just before."""
    return (Read(Phrase("", "result", spoken="result")),) if talk.topic == "result" else None


def _read_file(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """The whole text of a file, which is opened for it."""
    file, folder = slots["file"], _folder(slots.get("folder"), talk)
    if file.is_folder or folder is None:
        return None
    talk.of_file(msgspec.structs.replace(file, folder=file.folder or folder), open_now=True)
    talk.of_result()
    return (OpenFile(file.name, file.folder or folder), Read(_DOCUMENT_TEXT))


def _read_open(_slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """The whole text of the file that was opened just now."""
    if talk.topic != "document":
        return None
    talk.of_result()
    return (Read(_DOCUMENT_TEXT),)


_DOCUMENT_TEXT = Phrase("", "document", spoken="text")


def _fill_result(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    return _result_into(slots["text"], slots["field"], talk)


def _sort_first(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    key, descending = slots["key"]
    return (SortFiles(key, descending),)


def _copy_all(_slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    talk.selected = True
    return (Press(("ctrl", "a")), Press(("ctrl", "c")))


def _mention_thing(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """“There's a link Imprint”: nothing is to be done about it yet."""
    talk.of_thing(msgspec.structs.replace(slots["what"], any=False))
    talk.told_of = True
    return ()


def _tell_behind(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    read = _tell({name: each for name, each in slots.items() if name != "behind"}, talk)
    return (Click(slots["behind"]), *read) if read else None


def _search_fact(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """What a file says is read and searched for."""
    read = _tell({"what": slots["what"], "origin": slots["origin"]}, talk)
    return (*read, *_search_result(slots.get("place"))) if read else None


def _search_result(place: Phrase | str | None) -> tuple[Intent, ...]:
    """What was read is searched for; on a page that is open, when the place is called one."""
    name = _spoken(place) if place is not None else ""
    shown = re.search(r"\b(?:page|site|website)$", name, re.I)
    switch = (Window("switch", "browser", "application"),) if shown else ()
    return (*switch, Search("", name, result=True))


def _clear_file(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    file = slots["what"]
    if file.is_folder:
        return None
    talk.of_file(file, open_now=True)
    return (OpenFile(file.name, file.folder), Clear(Phrase("")))


def _transfer_again(_slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """“Move it”, behind “it belongs in Pictures”, which asked for that."""
    return () if talk.moved else None


def _behind(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    """“It's behind the link Oslo”, of what is to be read: see `understand`, which puts the click before it."""
    return (Click(slots["what"]),)


def _about_me(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    talk.mine, talk.announced = (*talk.mine, *slots["pairs"]), slots["said"]
    return ()


def _set_to(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    talk.announced = ""
    return (Fill(slots["field"], slots["value"]),)


def _carry(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """What is read in one place is typed in another."""
    read = _tell({name: each for name, each in slots.items() if name != "into"}, talk)
    if isinstance(slots["into"], Reference):  # to a page: what follows tells what is done with it there
        talk.announced = slots["said"]
        return (*read, Window("switch", "browser", "application")) if read else None
    typed = _result_into(Reference("result", True), slots["into"], talk) if read else None
    return (*read, *typed) if read and typed else None


def _search_it(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """“And search for it”: of what was typed into a field just now, or was read."""
    place = slots.get("place")
    if talk.typed and place is None:
        return (Press(("enter",)),)
    talk.announced = ""
    return _search_result(place) if talk.topic == "result" else None


def _save_open(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """A file that is being worked on is saved under its own name, in its own window."""
    file = slots["what"]
    if file.is_folder or file.folder:
        return None
    talk.of_document()
    return (Window("switch", file.name, "application"), Save())


def _numbers(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    talk.numbers = slots["numbers"]
    return ()


def _compute_numbers(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    """“Add them up”, of numbers that were named."""
    if not talk.numbers:
        return None
    sign = "*" if slots["verb"].startswith("multiply") else "+"
    return _compute({"sum": sign.join(talk.numbers)}, talk)


def _copy_text(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    return (CopyText(slots["what"]),)


def _copy_value(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    into = slots["into"]
    if not isinstance(into, Phrase):
        return None
    return (Read(slots["what"]), TypeText("", _spoken(into), result=True))


def _expand(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    talk.of_thing(slots["what"])
    return (Expand(slots["what"], slots.get("on", True)),)


def _fill_with(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    """A value that is set with a slider or spinner, of what is set when that was said."""
    name = slots["name"].name if "name" in slots else slots["with"].name
    return (Fill(Phrase(name, slots["with"].kind), slots["value"]),)


def _fill_form(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    pairs = (*talk.mine, *slots.get("pairs", ()), *slots.get("more", ()))
    talk.mine = ()
    if not pairs:
        talk.announced = slots["said"]
        return ()
    talk.announced = ""
    return (*(Fill(field, value) for field, value in pairs), *((Submit(),) if slots.get("sent") else ()))


def _match(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    source = slots.get("source")
    return (Match(**slots["like"], into=source.spoken if source else ""),)


def _wait_for(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    what = slots.get("what")
    if what is None:
        return (WaitFor(1.0),)
    return (
        WaitFor(text=what.text if isinstance(what, Text) else _spoken(what), gone=bool(slots.get("gone"))),
    )


def _button(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    return (Click(Phrase(slots["label"], "button")),)


def _nothing_more(_slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    """“Leave the rest alone”: there is nothing to be done."""
    return ()


def _labelled(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    label, value = slots["labelled"]
    first, talk.labelled = not talk.labelled, True
    return (TypeText(value, label, False, value) if first else Fill(Phrase(label, spoken=label), value),)


def _date(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    field, value = slots["labelled"] if "labelled" in slots else (slots["field"], slots["value"])
    name = field.name
    if "labelled" not in slots and name.lower().endswith(" date"):
        field = msgspec.structs.replace(field, name=name[:-5])
    return (Fill(field, value),)


def _click_at(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    x, y = slots["point"]
    return (ClickAt(x, y, slots.get("button", "left"), slots.get("count", 1)),)


def _wait(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    return (WaitFor(slots.get("seconds", 1.0)),)


def _browse(slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    return (Browse(slots["move"]),)


def _help(_slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    return (Help(),)


def _cell(slots: Slots, talk: Talk) -> tuple[Intent, ...] | None:
    file = slots.get("file")
    opened = (OpenFile(file.name, file.folder),) if isinstance(file, FileSaid) else ()
    talk.of_document()
    return (*opened, SetCell(slots["cell"], slots["value"]))


def _name_it(_slots: Slots, _talk: Talk) -> tuple[Intent, ...] | None:
    """“Call it …”, of what was made just before: see `understand`, which joins the two."""
    return None


MEANINGS: Mapping[str, Meaning] = {
    "open": _open, "go": _go, "go_folder": _go_folder, "search": _search, "write": _write, "note": _note,
    "create_file": _create_file, "save": _save, "keep": _keep, "append": _append, "replace": _replace,
    "delete_line": _delete_line, "create_folder": _create_folder, "rename": _rename, "transfer": _transfer,
    "delete": _delete, "list_files": _list_files, "sort": _sort, "compute": _compute, "compute_verb": _compute_verb,
    "run": _run, "tell": _tell, "click": _click, "press": _press, "fill": _fill, "choose": _choose, "check": _check,
    "clear": _clear, "focus": _focus, "hover": _hover, "scroll": _scroll, "menu": _menu, "submit": _submit,
    "log_in": _log_in, "window": _window, "keys": _keys, "wait": _wait, "browse": _browse, "help": _help,
    "cell": _cell, "wait_for": _wait_for, "button": _button, "nothing": _nothing_more, "labelled": _labelled,
    "date": _date, "tell_it": _tell_it,
    "read_file": _read_file, "read_open": _read_open, "tell_behind": _tell_behind, "fill_result": _fill_result, "sort_first": _sort_first, "copy_all": _copy_all,
    "mention_thing": _mention_thing, "search_fact": _search_fact, "clear_file": _clear_file,
    "about_me": _about_me, "transfer_again": _transfer_again, "behind": _behind, "set_to": _set_to, "carry": _carry, "search_it": _search_it, "save_open": _save_open, "numbers": _numbers, "compute_numbers": _compute_numbers,
    "told": _told, "state": _state, "into_basket": _into_basket, "said": _said, "copy_text": _copy_text, "copy_value": _copy_value, "expand": _expand, "mention": _mention, "located": _located, "compute_keep": _compute_keep, "fill_with": _fill_with, "fill_form": _fill_form, "match": _match, "click_at": _click_at, "drag": _drag, "name_it": _name_it,
}  # fmt: skip
