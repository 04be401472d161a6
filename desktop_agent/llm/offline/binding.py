"""What clauses mean together: "its output" is the command's before, "write it into price.txt" the price that was read."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from desktop_agent.llm.offline import apps
from desktop_agent.llm.offline.intents import (
    Click,
    Compute,
    Intent,
    Open,
    Press,
    Read,
    Save,
    Scroll,
    TypeText,
    Window,
)
from desktop_agent.llm.offline.intents_desk import (
    DeleteLine,
    KeepResult,
    OpenFile,
    Replace,
    Rows,
    RunCommand,
    SetCell,
    Total,
    Undo,
    WriteAt,
)
from desktop_agent.llm.offline.phrase import phrase
from desktop_agent.llm.offline.quoting import Masked
from desktop_agent.llm.offline.rules_shell import TELLS

_RESULTS = (Compute, Read, RunCommand)
_DOCUMENTS = (TypeText, WriteAt, Rows, SetCell, Total, Replace, DeleteLine, OpenFile)
_RESULT = re.compile(r"(?:result|answer|outcome|output|sum|total|value|number)s?", re.I)
_UNDO = Press(("ctrl", "z"))
_ENTER = Press(("enter",))


def bind(intents: Iterable[Intent]) -> tuple[Intent, ...]:
    """The intents with those put together that are one."""
    bound: list[Intent] = []
    for intent in intents:
        before = bound[-1] if bound else None
        joined = _joined(before, intent) if before is not None else None
        if joined is not None:
            bound[-1:] = joined
        else:
            bound += _alone(intent, bound)
    return tuple(each for intent in bound for each in _spelled_out(intent))


def _joined(before: Intent, intent: Intent) -> list[Intent] | None:
    """Two neighbours that are one."""
    if isinstance(before, TypeText) and apps.sort_of(before.into) == _TERMINAL and not before.result:
        entered = RunCommand(before.text)  # Enter is meant where its output is wanted
        return [entered] if intent == _ENTER else _joined(entered, intent)
    if isinstance(before, RunCommand) and not before.into:
        if isinstance(intent, Read) and (TELLS.fullmatch(intent.what.spoken) or not intent.what.spoken):
            return [msgspec.structs.replace(before, tell=True)]
        if isinstance(intent, RunCommand) and not intent.command:
            return [msgspec.structs.replace(intent, command=before.command)]
        if isinstance(intent, KeepResult):
            return [RunCommand(before.command, False, intent.name, intent.folder)]
        if isinstance(intent, Save) and intent.name:
            return [RunCommand(before.command, False, intent.name, intent.folder)]
    if isinstance(before, Total) and not before.cell and isinstance(intent, SetCell) and not intent.text:
        return [msgspec.structs.replace(before, cell=intent.cell)]
    if isinstance(before, Window) and before.verb == "close" and not before.unsaved:
        how = "save" if intent == Save() else "discard" if _is_no(intent) else ""
        return [msgspec.structs.replace(before, unsaved=how)] if how else None
    if isinstance(before, TypeText | WriteAt) and before.text and intent == _UNDO:
        return [before, Undo(before.text)]
    if isinstance(before, Save) and intent in (before, Save()):
        return [before]
    if (
        isinstance(before, Scroll)
        and before.until
        and isinstance(intent, Replace)
        and intent.old in ("it", "them")
    ):
        return [Replace(before.until, intent.new)]
    if isinstance(before, Compute | Read) and isinstance(intent, Save) and intent.name:
        return [before, KeepResult(intent.name, intent.folder)]
    return None


def _is_no(intent: Intent) -> bool:
    """ "Don't save", said of what is closed."""
    return isinstance(intent, Click) and intent.what.name == "Don't save"


def _kept(intent: KeepResult, bound: list[Intent]) -> tuple[Intent, ...]:
    """What "it" is that shall be kept: the last result, or else the document that is worked on."""
    last = next((each for each in reversed(bound) if isinstance(each, _RESULTS + _DOCUMENTS)), None)
    if isinstance(last, _RESULTS):
        return (intent,)
    if not intent.sure and not intent.add:
        return (Save(intent.name, intent.folder),)
    if _RESULT.fullmatch(intent.what) or not intent.what:
        return (intent,)
    return (Read(phrase(intent.what, Masked(intent.what))), intent)


_TERMINAL = "terminal"


def _alone(intent: Intent, bound: list[Intent]) -> tuple[Intent, ...]:
    """ "Open a terminal and type date": what is typed and entered in a terminal is a command."""
    if isinstance(intent, KeepResult):
        return _kept(intent, bound)
    if isinstance(intent, Open) and _terminal_open(bound) and not apps.sort_of(intent.what):
        return (RunCommand(intent.what),)
    last = bound[-1] if bound else None
    in_terminal = isinstance(last, Open | Window | RunCommand) and (
        isinstance(last, RunCommand) or apps.sort_of(last.what) == "terminal"
    )
    if in_terminal and isinstance(intent, TypeText) and not intent.result:
        return (msgspec.structs.replace(intent, into=_TERMINAL, sure=True, text=intent.whole or intent.text),)
    return (intent,)


def _terminal_open(bound: list[Intent]) -> bool:
    """ "Open the terminal and run ls -la": what is run there is a command, no application."""
    opened = [each.what for each in bound if isinstance(each, Open)]
    return bool(opened) and apps.sort_of(opened[-1]) == _TERMINAL


def _spelled_out(intent: Intent) -> tuple[Intent, ...]:
    """Keeping a result takes an editor: open it, type, save."""
    if not isinstance(intent, KeepResult):
        return (intent,)
    if intent.add:
        return (OpenFile(intent.name, intent.folder), WriteAt("", result=True), Save())
    return (Open("text editor"), TypeText("", result=True), Save(intent.name, intent.folder))
