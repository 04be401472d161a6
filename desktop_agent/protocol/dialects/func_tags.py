"""`<func>` tags: commands stand in the model's text, as `<func>LCLICK</func>`, and what stands around them is said.

A command's arguments follow it, each in a `<param>` of its own, whose content is literal: nothing in it is escaped, and
tags in it are text. `</param>` ends it; a parameter that holds that word is opened with a word of its own, as
`<param END>`, and ends with `</param END>`. Where a command has one argument, or several without blanks in them, they
may stand behind its name instead: `<func>TYPE cd ~/Desktop</func>`, `<func>MOVE 10 20</func>`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias, get_type_hints

import msgspec

from desktop_agent.protocol.chat_messages import Message, words_of
from desktop_agent.protocol.dialects.base import Unreadable
from desktop_agent.protocol.ops import MAX_TEXT, OPS, RESERVED
from desktop_agent.protocol.reply import MOST_ACTIONS, short
from desktop_agent.protocol.schema import describe

MAX_ACTIONS = MOST_ACTIONS
LONG_REPLIES = HOLDS_BUTTONS = True
MAX_NOTE = 4_000
MOST_CLICKS = 3
MOST_NOTCHES = 100
_TAG = re.compile(r"<(/?)(func|param)(?: ([A-Za-z0-9_]+))?>")
_BLANK = re.compile(r"\s*")
_FORM = """\
Say what you think in plain words, and put commands between them, as many as you like (at most MAX_ACTIONS operations are
taken from one answer). They are carried out in order, then you get a new look, and what the terminal printed.
A command is <func>NAME</func>, followed by its arguments, each as <param>...</param>. What is inside <param> is literal:
nothing is escaped, and tags in it are text. A text that holds </param> itself goes into <param END>...</param END>, with any
word for END. Arguments without blanks in them, or a single one, may stand behind the name: <func>MOVE 10 20</func>,
<func>TYPE cd ~/Desktop</func>.

Commands:
"""
_COMMANDS = {
    "MOVE": ("move", "x y: move the pointer to these pixels of the picture"),
    "LCLICK": ("click", "click with the left button where the pointer is; twice in a row is a double click"),
    "RCLICK": ("click", "click with the right button where the pointer is"),
    "LDOWN": ("mouse_down", "press the left button and hold it until LUP, also over several answers"),
    "LUP": ("mouse_up", "release the left button"),
    "RDOWN": ("mouse_down", "press the right button and hold it until RUP, also over several answers"),
    "RUP": ("mouse_up", "release the right button"),
    "SCROLLUP": ("scroll", "turn the wheel up by a notch"),
    "SCROLLDOWN": ("scroll", "turn the wheel down by a notch"),
    "TYPE": ("type", "text: type it exactly, of any length; a line feed is Return"),
    "KEY": (
        "key_combo",
        "names: press keys together, as X11 calls them, with blanks between them: Return, ctrl shift s",
    ),
    "LOOK": ("look", "take a new look at the screen"),
    "TERM": ("read_terminal", "read what the terminal printed last; what is new you are told without asking"),
    "WAIT": ("wait_for_news", "wait until the terminal prints something or the user says something; it costs nothing. With a number only so many seconds: WAIT 2"),
    "READ": ("read_file", "file, or file start end: a file of the workspace with its line numbers, whole or from line to line"),
    "WRITE": ("write_file", "file content: write a whole file of the workspace"),
    "EDIT": ("edit_file", "file old new: replace the first occurrence of a text in a file; with -all as a fourth argument every one"),
    "READTEXT": ("read", "element: read the whole text of an element by its number, as e8"),
    "PLAN": ("", "steps, each a <param>: tell the user the whole plan, before you act and when it changes"),
    "STEP": ("", "number: the step you are working on, from 1"),
    "SCOPE": ("", "what the plan needs beside what you may do already, each a <param>: KIND:WHAT:HOW, as app:mousepad:act"),
}  # fmt: skip
"""Name of a command: the operation it is, and what the prompt says of it."""
COVERED = frozenset(operation for operation, _ in _COMMANDS.values() if operation) | {"wait"}
_OTHERS = """
Further commands, in capitals, with their fields as arguments in this order; those with ? may be left out at the end; lists and
numbers as JSON:
"""
REMINDER = (
    "Commands as <func>NAME</func> with each argument in <param>...</param> right behind it, every tag closed, only the "
    "listed commands."
)
"""What a model is told when its last answer could not be used."""

Operation: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Command:
    """A command of a text: its name, its arguments, and the text that it is."""

    name: str
    arguments: tuple[str, ...]
    text: str


def parse(text: bytes) -> object:
    """The data of the reply that a text is: what is said is its note. Raises Unreadable for what is not of the form."""
    data: dict[str, Any] = {}
    said: list[str] = []
    actions: list[Operation] = []
    for part in _parts(_decoded(text)):
        if isinstance(part, str):
            said.append(part.strip())
        elif part.name in _REPLY_FIELDS:
            name, value = _REPLY_FIELDS[part.name](part.arguments)
            data[name] = value
        else:
            _add(actions, _operations(part))
    return data | {"notes": "\n".join(filter(None, said))[:MAX_NOTE], "actions": actions}


def prompt(operations: Sequence[str], max_actions: int) -> str:
    """What the system prompt says about the form of an answer and the commands in it."""
    offered = set(operations)
    lines = [f"- {name} {words}" for name, (op, words) in _COMMANDS.items() if not op or op in offered]
    others = describe(offered - COVERED)
    return (
        _FORM.replace("MAX_ACTIONS", str(max_actions))
        + "\n".join(lines)
        + (_OTHERS + others if others else "")
    )


def messages(text: str) -> tuple[Message, ...]:
    """What is said as the assistant's, each command as a command, in the order in which they stand."""
    return tuple(
        words_of(part, "assistant") if isinstance(part, str) else words_of(part.text, "command")
        for part in _parts(text)
        if not isinstance(part, str) or part.strip()
    )


class NoteStream:
    """Passes on what is said around the commands as it comes; at most MAX_NOTE characters of it."""

    def __init__(self, on_note: Callable[[str], None]) -> None:
        self._on_note = on_note
        self._text = ""
        self._told = ""

    @property
    def started(self) -> bool:
        """True once a piece of the note was passed on."""
        return bool(self._told)

    def feed(self, piece: str) -> None:
        """Read on; passes on what of the note this piece completes."""
        self._text += piece
        note = _said_so_far(self._text)
        if len(note) > len(self._told) and note.startswith(self._told):
            self._on_note(note[len(self._told) :])
            self._told = note


# ---- the tags ------------------------------------------------------------------------------------


def _decoded(text: bytes) -> str:
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        raise Unreadable(f"not UTF-8: {error.reason} at byte {error.start}") from error


def _parts(text: str) -> Iterator[str | Command]:
    """What is said and the commands, in order. Raises Unreadable for a tag that is not closed, nested or out of place."""
    at = 0
    while tag := _TAG.search(text, at):
        if tag.start() > at:
            yield text[at : tag.start()]
        if tag[0] != "<func>":
            raise Unreadable(f"line {_line(text, tag.start())}: {tag[0]} stands where no command is open")
        end = _closing(text, tag)
        arguments, at = _arguments(text, end.end())
        name, inline = _head(text[tag.end() : end.start()], arguments)
        yield Command(name, inline + arguments, text[tag.start() : at])
    if at < len(text):
        yield text[at:]


def _closing(text: str, opening: re.Match[str]) -> re.Match[str]:
    """The `</func>` of a `<func>`."""
    line = _line(text, opening.start())
    end = _TAG.search(text, opening.end())
    if end is None:
        raise Unreadable(f"line {line}: <func> is not closed by </func>")
    if end[0] != "</func>":
        raise Unreadable(
            f"line {line}: {end[0]} inside <func>; arguments stand behind </func>, each in a <param>"
        )
    return end


def _arguments(text: str, at: int) -> tuple[tuple[str, ...], int]:
    """The contents of the parameters from here on, and where the last ends."""
    found: list[str] = []
    while (tag := _TAG.match(text, _behind_blanks(text, at))) and tag[2] == "param" and not tag[1]:
        closing = f"</param {tag[3]}>" if tag[3] else "</param>"
        end = text.find(closing, tag.end())
        if end < 0:
            raise Unreadable(f"line {_line(text, tag.start())}: {tag[0]} is not closed by {closing}")
        found.append(text[tag.end() : end])
        at = end + len(closing)
    return tuple(found), at


def _behind_blanks(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at


def _head(inside: str, arguments: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The name of a command, and the arguments that stand behind it instead of in parameters."""
    name, _, rest = inside.lstrip().partition(" ")
    name = name.strip()
    if not rest.strip():
        return name, ()
    if arguments:
        raise Unreadable(
            f"{short(name)}: arguments behind its name and in <param>; give all of them in one way"
        )
    return name, (rest,) if name in _WHOLE else tuple(rest.split())


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _said_so_far(text: str) -> str:
    """The note as far as a text that goes on tells it for certain."""
    said: list[str] = []
    try:
        for part in _parts(text):
            said += [part.strip()] if isinstance(part, str) else []
    except Unreadable:
        pass
    else:
        # The end may be the beginning of a tag, or a blank that is no part of the note if nothing follows.
        if said and not text.endswith(">") and "<" in said[-1][-_LONGEST_TAG:]:
            said[-1] = said[-1][: said[-1].rindex("<")].rstrip()
    return "\n".join(filter(None, said))[:MAX_NOTE]


_LONGEST_TAG = 80


# ---- what they mean ------------------------------------------------------------------------------


def _operations(command: Command) -> list[Operation]:
    """The operations of a command. Raises Unreadable for an unknown one, and for arguments it does not take."""
    make = _MEANINGS.get(command.name)
    if make is not None:
        return make(command.arguments)
    name = command.name.lower()
    if command.name != name.upper() or name not in OPS or name in RESERVED | COVERED:
        raise Unreadable(
            f"there is no command {short(command.name)}; the commands stand in your instructions"
        )
    return [_by_fields(name, command.arguments)]


def _by_fields(name: str, arguments: Sequence[str]) -> Operation:
    """An operation whose fields, in their order, are these arguments."""
    fields = _fields(name)
    if len(arguments) > len(fields):
        raise Unreadable(f"{name.upper()} takes at most {len(fields)} arguments, not {len(arguments)}")
    given = zip(fields.items(), arguments, strict=False)
    return {"op": name, **{field: _value(text, plain=plain) for (field, plain), text in given}}


@cache
def _fields(name: str) -> Mapping[str, bool]:
    """The fields of an operation, and whether each is a text."""
    types = get_type_hints(OPS[name])
    return {field.encode_name: _is_text(types[field.name]) for field in msgspec.structs.fields(OPS[name])}


def _is_text(kind: Any) -> bool:
    try:
        msgspec.convert("e1", kind)
    except msgspec.ValidationError:
        return False
    return True


def _value(text: str, *, plain: bool) -> object:
    if plain:
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text  # what it should have been is said by the check of its field


def _number(text: str, what: str) -> int:
    if not re.fullmatch(r"\s*\d{1,9}\s*", text, re.ASCII):
        raise Unreadable(f"{what}: expected a whole number, got {short(text)}")
    return int(text)


def _count(name: str, arguments: Sequence[str], least: int, most: int) -> None:
    if not least <= len(arguments) <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        raise Unreadable(f"{name} takes {wanted} arguments, not {len(arguments)}")


def _move(arguments: Sequence[str]) -> list[Operation]:
    _count("MOVE", arguments, 2, 2)
    return [{"op": "move", "x": _number(arguments[0], "MOVE x"), "y": _number(arguments[1], "MOVE y")}]


def _always(name: str, **fields: object) -> Callable[[Sequence[str]], list[Operation]]:
    """A command without arguments that is one operation."""

    def make(arguments: Sequence[str]) -> list[Operation]:
        _count(name, arguments, 0, 0)
        return [dict(fields)]

    return make


def _type(arguments: Sequence[str]) -> list[Operation]:
    _count("TYPE", arguments, 1, 1)
    (text,) = arguments
    pieces = [text[start : start + MAX_TEXT] for start in range(0, len(text), MAX_TEXT)]
    return [{"op": "type", "text": piece} for piece in pieces or [""]]


def _key(arguments: Sequence[str]) -> list[Operation]:
    names = [name for argument in arguments for name in (argument.split() or [argument])]
    if not names or not all(names):
        raise Unreadable("KEY takes the names of keys, with blanks between them")
    return [{"op": "key_combo", "keys": names}]


def _read(arguments: Sequence[str]) -> list[Operation]:
    _count("READ", arguments, 1, 3)
    lines = zip(("start", "end"), arguments[1:], strict=False)
    return [{"op": "read_file", "path": arguments[0], **{n: _number(text, f"READ {n}") for n, text in lines}}]


def _wait(arguments: Sequence[str]) -> list[Operation]:
    """Until something comes; with a number of seconds the screen is let work so long."""
    _count("WAIT", arguments, 0, 1)
    if not arguments:
        return [{"op": "wait_for_news"}]
    return [{"op": "wait", "seconds": _value(arguments[0].strip(), plain=False)}]


def _read_text(arguments: Sequence[str]) -> list[Operation]:
    _count("READTEXT", arguments, 1, 1)
    return [{"op": "read", "element": arguments[0].strip()}]


def _write(arguments: Sequence[str]) -> list[Operation]:
    _count("WRITE", arguments, 2, 2)
    return [{"op": "write_file", "path": arguments[0], "content": arguments[1]}]


def _edit(arguments: Sequence[str]) -> list[Operation]:
    _count("EDIT", arguments, 3, 4)
    path, old, new, *rest = arguments
    if rest and rest[0].strip() != "-all":
        raise Unreadable(f"EDIT: the fourth argument is -all or nothing, not {short(rest[0])}")
    return [{"op": "edit_file", "path": path, "old": old, "new": new, "all": bool(rest)}]


_MEANINGS: dict[str, Callable[[Sequence[str]], list[Operation]]] = {
    "MOVE": _move,
    "LCLICK": _always("LCLICK", op="click", button="left", count=1),
    "RCLICK": _always("RCLICK", op="click", button="right", count=1),
    "LDOWN": _always("LDOWN", op="mouse_down", button="left"),
    "LUP": _always("LUP", op="mouse_up", button="left"),
    "RDOWN": _always("RDOWN", op="mouse_down", button="right"),
    "RUP": _always("RUP", op="mouse_up", button="right"),
    "SCROLLUP": _always("SCROLLUP", op="scroll", dy=1),
    "SCROLLDOWN": _always("SCROLLDOWN", op="scroll", dy=-1),
    "TYPE": _type,
    "KEY": _key,
    "LOOK": _always("LOOK", op="look"),
    "TERM": _always("TERM", op="read_terminal"),
    "WAIT": _wait,
    "READ": _read,
    "READTEXT": _read_text,
    "WRITE": _write,
    "EDIT": _edit,
}
_WHOLE = frozenset({"TYPE", "KEY", "READ", "PLAN", "SCOPE", "OPEN", "ASK", "DONE", "FAIL"})
"""Commands for which all that stands behind the name is one argument."""


def _step(arguments: Sequence[str]) -> tuple[str, object]:
    _count("STEP", arguments, 1, 1)
    return "step", _number(arguments[0], "STEP")


_REPLY_FIELDS: dict[str, Callable[[Sequence[str]], tuple[str, object]]] = {
    "PLAN": lambda arguments: ("high_level", list(arguments)),
    "SCOPE": lambda arguments: ("scope", list(arguments)),
    "STEP": _step,
}


def _add(actions: list[Operation], new: Sequence[Operation]) -> None:
    """Put operations behind those there are; clicks in a row are a double click, notches in a row one turn of the wheel."""
    for operation in new:
        last = actions[-1] if actions else {}
        if _same(last, operation, "click") and last["count"] < MOST_CLICKS:
            actions[-1] = {**last, "count": last["count"] + 1}
        elif _same(last, operation, "scroll") and abs(last["dy"] + operation["dy"]) <= MOST_NOTCHES:
            actions[-1] = {**last, "dy": last["dy"] + operation["dy"]}
        else:
            actions.append(operation)


def _same(last: Operation, new: Operation, name: str) -> bool:
    """Are both of this name and kind? Wheels that turn the same way, clicks of the same button."""
    if not (last.get("op") == new.get("op") == name):
        return False
    if name == "scroll":
        return bool((last["dy"] > 0) == (new["dy"] > 0))
    return bool(last["button"] == new["button"])
