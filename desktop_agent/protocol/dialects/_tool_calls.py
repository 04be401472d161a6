"""What the dialects of the providers' own tools share: calls become operations, those that cannot be used are told.

Of one answer the calls are taken in order up to the first that cannot be used: what comes after it rests on it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, takewhile
from typing import Any, TypeAlias

import msgspec

from desktop_agent.protocol.dialects.base import FunctionTool, ToolCall, Unreadable
from desktop_agent.protocol.errors import BadReply
from desktop_agent.protocol.ops import OPS, RESERVED
from desktop_agent.protocol.reply import Reply, check, plain, short
from desktop_agent.protocol.schema import fields_schema

MAX_ACTIONS = 64
"""Actions of one answer where no fewer are set, and operations in any case: an action may stand for several."""
MAX_NOTE = 4_000
PLAN = "plan"
TYPE_INTO = "type_into_element"
SKIPPED = "Not executed: a call before it in this turn could not be used."
REMINDER = "Answer by calling the tools you are given, each with exactly the arguments that its schema names."
_SHOWN = 2_000
_PLAN_WORDS = (
    "Tell the user the whole plan as short steps a person understands, and the number of the step you are working on "
    "(from 1). Call it before you act, and again when the plan changes or a step is done. `scope` is what the plan needs beside "
    "what you may do already, as KIND:WHAT:HOW, like app:mousepad:act or site:https://shop.example:fill (look, fill or "
    "act); empty when nothing is needed."
)
_FORM = """\
Answer by calling tools. All calls of one answer (at most {most} actions; what is more is not executed) are carried out in
order; after the first that fails the others are not executed, and you are told what came of each.
- {computer}: works the mouse and the keyboard by pixels of the picture. A held key or button is released at the end of
  the answer at the latest.
- plan: {plan}
- The other tools act on elements by their ids from the list of elements (surer than pixels where an element is listed),
  open things, look, read, and end the task: ask, done (once you have seen that the goal is reached, never in the answer
  that acted) and fail.
What you write beside the calls is a note for the user: one short sentence, or nothing. An answer without a call does
nothing.
"""

Operation: TypeAlias = dict[str, Any]
Action: TypeAlias = Sequence[Operation]
"""The operations of one action, which are only done together: a key that is held, what is done meanwhile, its release."""


class Unusable(ValueError):
    """A call, or an action of it, that cannot be carried out as it stands; the message is for the model.

    `before` are the actions of the same call that come before it.
    """

    def __init__(self, why: str, before: Sequence[Action] = ()) -> None:
        super().__init__(why)
        self.before = tuple(before)


@dataclass(frozen=True)
class UnderstoodCall:
    """One call as it was understood: its actions, the plan it tells, and what of it cannot be used."""

    id: str
    actions: tuple[Action, ...] = ()
    plan: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""
    picture: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def operations(self) -> tuple[Operation, ...]:
        return tuple(operation for action in self.actions for operation in action)


def items_of(text: str | bytes) -> list[dict[str, Any]]:
    """The blocks or items of an answer. Raises Unreadable for anything but a JSON array of objects with a `type`."""
    try:
        items = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unreadable(f"not a JSON array: {error}") from error
    if not isinstance(items, list) or not all(
        isinstance(each, dict) and isinstance(each.get("type"), str) for each in items
    ):
        raise Unreadable("not an array of objects with a type")
    return items


def understood(
    id: str,
    make: Callable[[], Sequence[Action]],
    *,
    picture: bool = False,
    warnings: tuple[str, ...] = (),
) -> UnderstoodCall:
    """The call whose actions `make` makes, up to the first that cannot be used."""
    try:
        return UnderstoodCall(id, tuple(make()), picture=picture, warnings=warnings)
    except Unusable as unusable:
        return UnderstoodCall(
            id, unusable.before, problem=plain(str(unusable)), picture=picture, warnings=warnings
        )


def checked(operations: Sequence[Operation]) -> Sequence[Operation]:
    """The operations of one action, all of them valid. Raises Unusable."""
    for operation in operations:
        if wrong := _wrong_with({"actions": [operation]}, "actions[0]"):
            raise Unusable(wrong)
    return operations


def function_call(id: str, name: object, arguments: object) -> UnderstoodCall:
    """A call of one of our own function tools; `arguments` are their JSON where they are a text."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            return UnderstoodCall(id, problem=f"the arguments of {short(name)} are no JSON")
    if not isinstance(name, str):
        return UnderstoodCall(id, problem="the call names no tool")
    if not isinstance(arguments, dict) or "op" in arguments:
        return UnderstoodCall(id, problem=f"the arguments of {short(name)} are not those of its schema")
    if name == PLAN:
        plan = {key: value for key, value in arguments.items() if value is not None}
        wrong = _wrong_with(plan, "") if set(plan) <= _PLAN_FIELDS else "unknown field"
        return UnderstoodCall(id, plan={} if wrong else plan, problem=wrong)
    if name == TYPE_INTO and arguments.get("element") is None:
        return UnderstoodCall(id, problem="element: missing")
    op = "type" if name == TYPE_INTO else name
    if op not in OPS or op in RESERVED:
        return UnderstoodCall(id, problem=f"there is no tool called {short(name)}")
    return understood(id, lambda: [checked([{"op": op, **arguments}])])


_PLAN_FIELDS = {"high_level", "step", "scope"}


def _wrong_with(data: Mapping[str, Any], inside: str) -> str:
    """What is wrong with a part of a reply, "" for nothing; paths are told from `inside` on."""
    try:
        check(data)
    except BadReply as error:
        return "; ".join(str(each).removeprefix(inside).lstrip(".: ") for each in error.problems[:5])
    return ""


def reply_of(words: Iterable[str], calls: Iterable[UnderstoodCall], most: int) -> dict[str, Any]:
    """The data of the reply that an answer with these words and calls is, of which the first `most` actions are taken."""
    data: dict[str, Any] = {"notes": "\n".join(filter(None, words))[:MAX_NOTE], "actions": []}
    for call in _usable(calls, most):
        data |= call.plan
        data["actions"] += call.operations
    return data


def calls_of(calls: Iterable[UnderstoodCall], most: int) -> tuple[ToolCall, ...]:
    """Where the operations of each call stand in the reply."""
    found: list[ToolCall] = []
    first = 0
    for call in _usable(calls, most):
        found.append(
            ToolCall(call.id, first, len(call.operations), call.problem, call.picture, call.warnings)
        )
        first += len(call.operations)
    return tuple(found)


def _usable(calls: Iterable[UnderstoodCall], most: int) -> list[UnderstoodCall]:
    """The calls, of which none has actions or a plan after the first problem, nor actions beyond what is allowed."""
    kept: list[UnderstoodCall] = []
    room, space, broken = most, MAX_ACTIONS, False
    for call in calls:
        if broken:
            call = replace(call, actions=(), plan={}, problem=SKIPPED, warnings=())
        elif (fits := _fitting(call.actions, room, space)) < len(call.actions):
            call = replace(call, actions=call.actions[:fits], problem=_too_many(call, fits, most))
        kept.append(call)
        room -= len(call.actions)
        space -= len(call.operations)
        broken = broken or bool(call.problem)
    return kept


def _fitting(actions: Sequence[Action], room: int, space: int) -> int:
    """How many of the actions fit: at most `room` of them, with at most `space` operations."""
    sums = accumulate(map(len, actions[:room]))
    return sum(1 for _ in takewhile(lambda count: count <= space, sums))


def _too_many(call: UnderstoodCall, fits: int, most: int) -> str:
    what = f"from action {fits + 1} of {len(call.actions)} of this call on, because" if fits else "because"
    return f"{what} at most {most} actions are carried out of one answer; look, then do the rest in the next"


def function_tools(operations: Iterable[str], covered: frozenset[str]) -> tuple[FunctionTool, ...]:
    """A tool for the plan, one for typing into an element, and one for each operation that is not `covered`."""
    names = [name for name in OPS if name in set(operations) - covered]
    tools = [FunctionTool(PLAN, _PLAN_WORDS, fields_schema(Reply, ("notes", "actions")))]
    tools += [FunctionTool(name, _purpose(name), fields_schema(OPS[name])) for name in names]
    if "type" in operations:
        tools.append(
            FunctionTool(TYPE_INTO, "Focus an element, then type text into it.", _type_into_schema())
        )
    return tuple(tools)


def _purpose(name: str) -> str:
    return " ".join((OPS[name].__doc__ or "").split())


def _type_into_schema() -> dict[str, Any]:
    schema = fields_schema(OPS["type"], ("delay",))
    element = schema["properties"]["element"]
    schema["properties"]["element"] = next(each for each in element["anyOf"] if each != {"type": "null"})
    return schema


def form(computer: str, max_actions: int) -> str:
    """What the system prompt says about an answer; `computer` is what the computer tool is called."""
    return _FORM.format(most=max_actions, computer=computer, plan=_PLAN_WORDS)


def in_words(name: object, arguments: object) -> str:
    """A call as a text, for models that do not know the tool."""
    told = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return f"{name}({told})"[:_SHOWN]


class BesideCalls:
    """Passes on the words beside the calls as they come; at most MAX_NOTE characters of them."""

    def __init__(self, on_note: Callable[[str], None]) -> None:
        self._on_note = on_note
        self._left = MAX_NOTE

    @property
    def started(self) -> bool:
        """True once a piece of the note was passed on."""
        return self._left < MAX_NOTE

    def feed(self, piece: str) -> None:
        """Pass on what there is room for."""
        kept = piece[: self._left]
        self._left -= len(kept)
        if kept:
            self._on_note(kept)
