"""What clauses mean together: "its output" is the command's before, "write it into price.txt" the price that was read."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from desktop_agent.extras.offline.llm.offline import apps, arithmetic
from desktop_agent.extras.offline.llm.offline import intents as say
from desktop_agent.extras.offline.llm.offline import intents_desk as desk
from desktop_agent.extras.offline.llm.offline.intents import Intent
from desktop_agent.extras.offline.llm.offline.phrase import phrase
from desktop_agent.extras.offline.llm.offline.quoting import Masked

_RESULTS = (say.Compute, say.Read, desk.RunCommand)
_DOCUMENTS = (
    say.TypeText,
    desk.WriteAt,
    desk.Rows,
    desk.SetCell,
    desk.Total,
    desk.Replace,
    desk.DeleteLine,
    desk.OpenFile,
)
_RESULT = re.compile(r"(?:result|answer|outcome|output|sum|total|value|number)s?", re.I)
_TELLS = re.compile(
    r"(?:(?:me\s+)?what\s+)?(?:(?:it|that|this|the\s+(?:command|terminal))\s+)?(?:prints?|says?|outputs?|shows?|returns?|answers?|displays?|comes\s+out|is\s+printed|came\s+out|gives?)(?:\s+(?:back|out|there|on\s+the\s+screen))?"
    r"|(?:(?:the|its)\s+)?(?:output|result|answer|version|number|outcome)(?:\s+(?:there|of\s+(?:it|that|the\s+command)))?|it|it\s+(?:prints|says)",
    re.I,
)
"""What somebody wants to be told after a command: what it prints."""
_UNDO = say.Press(("ctrl", "z"))
_ENTER = say.Press(("enter",))


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
    if isinstance(before, say.TypeText) and apps.sort_of(before.into) == _TERMINAL and not before.result:
        entered = desk.RunCommand(before.text)  # Enter is meant where its output is wanted
        return [entered] if intent == _ENTER else _joined(entered, intent)
    if (
        isinstance(before, say.TypeText)
        and apps.sort_of(before.into) == _CALCULATOR
        and isinstance(intent, say.Read)
    ):
        worked_out = arithmetic.expression(before.text)
        return [say.Compute(worked_out), intent] if worked_out else None
    if isinstance(before, desk.RunCommand) and not before.into:
        if isinstance(intent, say.Read) and (_TELLS.fullmatch(intent.what.spoken) or not intent.what.spoken):
            return [msgspec.structs.replace(before, tell=True)]
        if isinstance(intent, desk.RunCommand) and not intent.command:
            return [msgspec.structs.replace(intent, command=before.command)]
        if isinstance(intent, desk.KeepResult):
            return [desk.RunCommand(before.command, False, intent.name, intent.folder)]
        if isinstance(intent, say.Save) and intent.name:
            return [desk.RunCommand(before.command, False, intent.name, intent.folder)]
    if (
        isinstance(before, desk.Total)
        and not before.cell
        and isinstance(intent, desk.SetCell)
        and not intent.text
    ):
        return [msgspec.structs.replace(before, cell=intent.cell)]
    if isinstance(before, say.Window) and before.verb == "close" and not before.unsaved:
        how = "save" if intent == say.Save() else "discard" if _is_no(intent) else ""
        return [msgspec.structs.replace(before, unsaved=how)] if how else None
    if isinstance(before, say.TypeText | desk.WriteAt) and before.text and intent == _UNDO:
        return [before, desk.Undo(before.text)]
    if isinstance(before, say.Save) and intent in (before, say.Save()):
        return [before]
    if (
        isinstance(before, say.Scroll)
        and before.until
        and isinstance(intent, desk.Replace)
        and intent.old in ("it", "them")
    ):
        return [desk.Replace(before.until, intent.new)]
    if isinstance(before, say.Compute | say.Read) and isinstance(intent, say.Save) and intent.name:
        return [before, desk.KeepResult(intent.name, intent.folder)]
    return None


def _is_no(intent: Intent) -> bool:
    """ "Don't save", said of what is closed."""
    return isinstance(intent, say.Click) and intent.what.name == "Don't save"


def _kept(intent: desk.KeepResult, bound: list[Intent]) -> tuple[Intent, ...]:
    """What "it" is that shall be kept: the last result, or else the document that is worked on."""
    last = next((each for each in reversed(bound) if isinstance(each, _RESULTS + _DOCUMENTS)), None)
    if isinstance(last, _RESULTS):
        return (intent,)
    if not intent.sure and not intent.add:
        return (say.Save(intent.name, intent.folder),)
    if _RESULT.fullmatch(intent.what) or not intent.what:
        return (intent,)
    return (say.Read(phrase(intent.what, Masked(intent.what))), intent)


_TERMINAL, _CALCULATOR = "terminal", "calculator"


def _alone(intent: Intent, bound: list[Intent]) -> tuple[Intent, ...]:
    """ "Open a terminal and type date": what is typed and entered in a terminal is a command."""
    if isinstance(intent, desk.KeepResult):
        return _kept(intent, bound)
    if isinstance(intent, say.Open) and _terminal_open(bound) and not apps.sort_of(intent.what):
        return (desk.RunCommand(intent.what),)
    last = bound[-1] if bound else None
    in_terminal = isinstance(last, say.Open | say.Window | desk.RunCommand) and (
        isinstance(last, desk.RunCommand) or apps.sort_of(last.what) == "terminal"
    )
    if in_terminal and isinstance(intent, say.TypeText) and not intent.result:
        return (msgspec.structs.replace(intent, into=_TERMINAL, sure=True, text=intent.whole or intent.text),)
    return (intent,)


def _terminal_open(bound: list[Intent]) -> bool:
    """ "Open the terminal and run ls -la": what is run there is a command, no application."""
    opened = [each.what for each in bound if isinstance(each, say.Open)]
    return bool(opened) and apps.sort_of(opened[-1]) == _TERMINAL


def _spelled_out(intent: Intent) -> tuple[Intent, ...]:
    """Keeping a result takes an editor: open it, type, save."""
    if not isinstance(intent, desk.KeepResult):
        return (intent,)
    if intent.add:
        return (desk.OpenFile(intent.name, intent.folder), desk.WriteAt("", result=True), say.Save())
    return (say.Open("text editor"), say.TypeText("", result=True), say.Save(intent.name, intent.folder))
