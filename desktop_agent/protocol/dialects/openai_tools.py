"""OpenAI's own computer tool: an answer is the JSON of the output items that the Responses API gave.

A `computer_call` carries one `action` or a batch of `actions`. https://developers.openai.com/api/docs/guides/tools-computer-use
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from desktop_agent.protocol.chat_messages import GivenBlock, Message, Role
from desktop_agent.protocol.dialects import _computer_actions as actions
from desktop_agent.protocol.dialects import _tool_calls as tool_calls
from desktop_agent.protocol.dialects._tool_calls import Action, Operation, UnderstoodCall, Unusable
from desktop_agent.protocol.dialects.base import FunctionTool, ToolCall, Unreadable, assistant_said
from desktop_agent.protocol.reply import short

PROVIDER = "openai"
MAX_ACTIONS = tool_calls.MAX_ACTIONS
REMINDER = tool_calls.REMINDER
NoteStream = tool_calls.BesideCalls
COVERED = frozenset((
    "move", "click", "mouse_down", "mouse_up", "drag", "scroll", "key_down", "key_up", "key_combo", "type", "wait",
))  # fmt: skip
PIXELS_A_NOTCH = 100
"""Browsers scroll about so far for one notch of a wheel."""
WAIT_SECONDS = 2.0
"""The action `wait` says no time."""
_BUTTONS = {"left": "left", "right": "right", "wheel": "middle", "back": "back", "forward": "forward"}
# The names of browsers' keyboard events, where META is the key with the system's sign; X11 calls another one so.
_KEYS = {"meta": "super"}


def parse(text: bytes, max_actions: int = MAX_ACTIONS) -> object:
    """The data of the reply that the items are. Raises Unreadable for anything but an array of items."""
    items = tool_calls.items_of(text)
    return tool_calls.reply_of([_words(item) for item in items], _calls(items), max_actions)


def prompt(operations: Sequence[str], max_actions: int) -> str:  # noqa: ARG001 - the tools say which
    """What the system prompt says about the form of an answer."""
    return tool_calls.form("computer", max_actions)


def tools(operations: Sequence[str]) -> tuple[FunctionTool, ...]:
    """What is offered beside the computer tool."""
    return tool_calls.function_tools(operations, COVERED)


def calls(text: str, max_actions: int = MAX_ACTIONS) -> tuple[ToolCall, ...]:
    """The calls in the answer. Raises Unreadable."""
    return tool_calls.calls_of(_calls(tool_calls.items_of(text)), max_actions)


def messages(text: str) -> tuple[Message, ...]:
    """The items as they came: with a call among them as commands (a call is taken only with its reasoning), else as the assistant's."""
    try:
        kept = tuple(map(_kept, tool_calls.items_of(text)))
    except Unreadable:
        return assistant_said(text)
    role: Role = "command" if any(each.call for each in kept) else "assistant"
    # Reasoning that leads to nothing is not taken back.
    return (Message(role, kept),) if any(each.text for each in kept) else ()


def _kept(item: Mapping[str, Any]) -> GivenBlock:
    match item["type"]:
        case "function_call":
            words = tool_calls.in_words(item.get("name"), item.get("arguments"))
        case "computer_call":
            words = tool_calls.in_words("computer", _actions(item))
        case _:
            return GivenBlock(PROVIDER, dict(item), _words(item))
    return GivenBlock(PROVIDER, dict(item), words, str(item.get("call_id", "")))


def _words(item: Mapping[str, Any]) -> str:
    """What a message says; "" for any other item."""
    content = item.get("content") if item["type"] == "message" else None
    parts = content if isinstance(content, list) else []
    return "".join(
        str(part.get("text", ""))
        for part in parts
        if isinstance(part, dict) and part.get("type") == "output_text"
    )


def _calls(items: Sequence[Mapping[str, Any]]) -> list[UnderstoodCall]:
    return [_call(item) for item in items if item["type"] in ("computer_call", "function_call")]


def _call(item: Mapping[str, Any]) -> UnderstoodCall:
    id = str(item.get("call_id", ""))
    if item["type"] == "function_call":
        return tool_calls.function_call(id, item.get("name"), item.get("arguments"))
    return tool_calls.understood(id, partial(_batch, item), picture=True, warnings=_warnings(item))


def _warnings(item: Mapping[str, Any]) -> tuple[str, ...]:
    checks = item.get("pending_safety_checks")
    return tuple(
        str(each.get("message") or each.get("code") or "a safety check without words")
        for each in (checks if isinstance(checks, list) else ())
        if isinstance(each, dict)
    )


def _actions(item: Mapping[str, Any]) -> list[Any]:
    """The actions of a call, in order: a batch, or the single one of the older form."""
    batch, single = item.get("actions"), item.get("action")
    if isinstance(batch, list) and batch:
        return list(batch)
    return [single] if single is not None else []


def _batch(item: Mapping[str, Any]) -> list[Action]:
    made: list[Action] = []
    given = _actions(item)
    if not given:
        raise Unusable("the call has no action")
    for number, action in enumerate(given, 1):
        try:
            made.append(_operations(action))
        except Unusable as unusable:
            where = f"action {number} of {len(given)}: " if len(given) > 1 else ""
            raise Unusable(f"{where}{unusable}", made) from unusable
    return made


def _operations(action: object) -> Action:
    kind = action.get("type") if isinstance(action, dict) else None
    if not isinstance(action, dict) or not isinstance(kind, str) or kind not in ACTIONS:
        raise Unusable(f"the action {short(kind)} is not known here")
    fields, make = ACTIONS[kind]
    return tool_calls.checked(make(actions.known_fields(action, fields | {"type"})))


def _spot(given: Mapping[str, Any]) -> Operation:
    return {name: actions.integer(given.get(name), name, 0, 65_535) for name in ("x", "y")}


def _names(given: Mapping[str, Any]) -> list[str]:
    names = given.get("keys", [])
    if not isinstance(names, list):
        raise Unusable("keys: expected a list of key names")
    return [_KEYS.get(each.lower(), each) if isinstance(each, str) else each for each in names]


def _held(given: Mapping[str, Any]) -> list[str]:
    return actions.modifiers(_names(given))


def _click(given: Mapping[str, Any]) -> list[Operation]:
    button = given.get("button")
    if not isinstance(button, str) or button not in _BUTTONS:
        raise Unusable(f"button: expected one of {', '.join(_BUTTONS)}")
    return [{"op": "click", "button": _BUTTONS[button], "modifiers": _held(given), **_spot(given)}]


def _double_click(given: Mapping[str, Any]) -> list[Operation]:
    return [{"op": "click", "count": 2, "modifiers": _held(given), **_spot(given)}]


def _drag(given: Mapping[str, Any]) -> list[Operation]:
    path = given.get("path")
    if not isinstance(path, list) or not all(isinstance(each, dict) for each in path):
        raise Unusable("path: expected a list of points with x and y")
    return [{"op": "drag", "path": [_spot(each) for each in path], "modifiers": _held(given)}]


def _keypress(given: Mapping[str, Any]) -> list[Operation]:
    return [{"op": "key_combo", "keys": actions.combination(_names(given))}]


def _move(given: Mapping[str, Any]) -> list[Operation]:
    return actions.while_held(_held(given), [{"op": "move", **_spot(given)}])


def _scroll(given: Mapping[str, Any]) -> list[Operation]:
    # Down and right are positive here; a wheel that is turned down counts negative.
    turn = {
        "dx": _notches(given.get("scroll_x"), "scroll_x"),
        "dy": -_notches(given.get("scroll_y"), "scroll_y"),
    }
    return actions.while_held(_held(given), [{"op": "scroll", **turn, **_spot(given)}])


def _notches(pixels: object, name: str) -> int:
    """Pixels as notches, at least one where it is to scroll at all."""
    most = 100 * PIXELS_A_NOTCH
    way = actions.integer(pixels, name, -most, most)
    count = max(1, round(abs(way) / PIXELS_A_NOTCH)) if way else 0
    return count if way > 0 else -count


def _type(given: Mapping[str, Any]) -> list[Operation]:
    return [{"op": "type", "text": given.get("text")}]


def _always(operation: Operation) -> Callable[[Mapping[str, Any]], list[Operation]]:
    return lambda _: [operation]


_Maker: TypeAlias = tuple[frozenset[str], Callable[[Mapping[str, Any]], list[Operation]]]
_SPOT = frozenset(("x", "y", "keys"))

ACTIONS: dict[str, _Maker] = {
    "click": (_SPOT | {"button"}, _click),
    "double_click": (_SPOT, _double_click),
    "drag": (frozenset(("path", "keys")), _drag),
    "keypress": (frozenset(("keys",)), _keypress),
    "move": (_SPOT, _move),
    "screenshot": (frozenset(), _always({"op": "look"})),
    "scroll": (_SPOT | {"scroll_x", "scroll_y"}, _scroll),
    "type": (frozenset(("text",)), _type),
    "wait": (frozenset(), _always({"op": "wait", "seconds": WAIT_SECONDS})),
}
"""Every action of the tool: its fields beside `type`, and what makes operations of them."""
