"""Anthropic's own computer tool: an answer is the JSON of the content blocks that the Messages API gave.

Each action is a `tool_use` block: of the toolset with the member's name, of the older tool with the name `computer`
and the member in `action`. https://platform.claude.com/docs/en/agents-and-tools/tool-use/computer-use-tool
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from desktop_agent.protocol.chat_messages import Block, GivenBlock, Message, TextBlock
from desktop_agent.protocol.dialects import _computer_actions as actions
from desktop_agent.protocol.dialects import _tool_calls as tool_calls
from desktop_agent.protocol.dialects._tool_calls import Action, Operation, UnderstoodCall, Unusable
from desktop_agent.protocol.dialects.base import FunctionTool, ToolCall, Unreadable, assistant_said
from desktop_agent.protocol.reply import short

PROVIDER = "anthropic"
TOOLSET = "computer"
MAX_ACTIONS = tool_calls.MAX_ACTIONS
REMINDER = tool_calls.REMINDER
NoteStream = tool_calls.BesideCalls
COVERED = frozenset((
    "move", "click", "mouse_down", "mouse_up", "drag", "scroll", "key_down", "key_up", "key_combo", "type", "wait",
    "zoom", "pointer_position",
))  # fmt: skip


def parse(text: bytes, max_actions: int = MAX_ACTIONS) -> object:
    """The data of the reply that the blocks are. Raises Unreadable for anything but an array of blocks."""
    blocks = tool_calls.items_of(text)
    words = [
        block["text"] for block in blocks if block["type"] == "text" and isinstance(block.get("text"), str)
    ]
    return tool_calls.reply_of(words, _calls(blocks), max_actions)


def prompt(operations: Sequence[str], max_actions: int) -> str:  # noqa: ARG001 - the tools say which
    """What the system prompt says about the form of an answer."""
    return tool_calls.form("The computer tools", max_actions)


def tools(operations: Sequence[str]) -> tuple[FunctionTool, ...]:
    """What is offered beside the computer tool."""
    return tool_calls.function_tools(operations, COVERED)


def calls(text: str, max_actions: int = MAX_ACTIONS) -> tuple[ToolCall, ...]:
    """The calls in the answer. Raises Unreadable."""
    return tool_calls.calls_of(_calls(tool_calls.items_of(text)), max_actions)


def messages(text: str) -> tuple[Message, ...]:
    """The blocks as they came: calls as commands, what goes before them as the assistant's."""
    try:
        blocks = tool_calls.items_of(text)
    except Unreadable:
        return assistant_said(text)
    said: list[Message] = []
    for block in blocks:
        if block["type"] == "text":
            if str(block.get("text", "")).strip():
                said.append(Message("assistant", (TextBlock(str(block["text"])),)))
        else:
            kept = _kept(block)
            said.append(Message("command" if kept.call else "assistant", (kept,)))
    # Thoughts that lead to nothing are not taken back.
    return _joined(said) if {"text", "tool_use"} & {block["type"] for block in blocks} else ()


def _joined(said: Sequence[Message]) -> tuple[Message, ...]:
    joined: list[Message] = []
    for each in said:
        if joined and joined[-1].role == each.role:
            blocks: tuple[Block, ...] = (*joined.pop().content, *each.content)
            each = Message(each.role, blocks)
        joined.append(each)
    return tuple(joined)


def _kept(block: Mapping[str, Any]) -> GivenBlock:
    if block["type"] != "tool_use":
        return GivenBlock(PROVIDER, dict(block))
    words = tool_calls.in_words(block.get("name"), block.get("input"))
    return GivenBlock(PROVIDER, dict(block), words, str(block.get("id", "")))


def _calls(blocks: Sequence[Mapping[str, Any]]) -> list[UnderstoodCall]:
    return [_call(block) for block in blocks if block["type"] == "tool_use"]


def _call(block: Mapping[str, Any]) -> UnderstoodCall:
    id, name, given = str(block.get("id", "")), block.get("name"), block.get("input")
    by_toolset = block.get("toolset_name") is not None
    if not by_toolset and name != TOOLSET:
        return tool_calls.function_call(id, name, given)
    if not isinstance(given, dict):
        return UnderstoodCall(id, problem="the input is no object")
    member = name if by_toolset else given.get("action")
    fields = given if by_toolset else {key: value for key, value in given.items() if key != "action"}
    if by_toolset and block["toolset_name"] != TOOLSET:
        return UnderstoodCall(id, problem=f"there is no toolset {short(block['toolset_name'])} here")
    if not isinstance(member, str) or member not in MEMBERS:
        return UnderstoodCall(id, problem=f"the action {short(member)} is not known here")
    return tool_calls.understood(
        id, partial(_operations, member, fields), picture=member in ("screenshot", "zoom")
    )


def _operations(member: str, given: Mapping[str, Any]) -> list[Action]:
    """The member's operations as one action; a key that is repeated is as many."""
    fields, make = MEMBERS[member]
    made = tool_calls.checked(make(actions.known_fields(given, fields)))
    return [[each] for each in made] if member == "key" else [made]


def _required(given: Mapping[str, Any], name: str) -> Any:
    if name not in given:
        raise Unusable(f"{name}: missing")
    return given[name]


def _combination(given: Mapping[str, Any]) -> list[str]:
    return actions.combination(actions.plus_joined(actions.text(_required(given, "text"), "text")))


def _held(given: Mapping[str, Any]) -> list[str]:
    return (
        actions.modifiers(actions.plus_joined(actions.text(given["text"], "text")))
        if given.get("text")
        else []
    )


def _place(given: Mapping[str, Any]) -> Operation:
    return actions.point(given["coordinate"], "coordinate") if "coordinate" in given else {}


def _key(given: Mapping[str, Any]) -> list[Operation]:
    repeat = actions.integer(given.get("repeat", 1), "repeat", 1, actions.MAX_REPEATS)
    return [{"op": "key_combo", "keys": _combination(given)}] * repeat


def _hold_key(given: Mapping[str, Any]) -> list[Operation]:
    duration = actions.seconds(_required(given, "duration"), "duration")
    return actions.while_held(_combination(given), actions.waits(duration))


def _type(given: Mapping[str, Any]) -> list[Operation]:
    return [{"op": "type", "text": _required(given, "text")}]


def _move(given: Mapping[str, Any]) -> list[Operation]:
    return [{"op": "move", **actions.point(_required(given, "coordinate"), "coordinate")}]


def _click(given: Mapping[str, Any], button: str = "left", count: int = 1) -> list[Operation]:
    return [{"op": "click", "button": button, "count": count, "modifiers": _held(given), **_place(given)}]


def _drag(given: Mapping[str, Any]) -> list[Operation]:
    path = [actions.point(_required(given, name), name) for name in ("start_coordinate", "coordinate")]
    return [{"op": "drag", "path": path, "modifiers": _held(given)}]


def _scroll(given: Mapping[str, Any]) -> list[Operation]:
    amount = actions.integer(_required(given, "scroll_amount"), "scroll_amount", 0, 100)
    direction = _required(given, "scroll_direction")
    turns = {"up": ("dy", 1), "down": ("dy", -1), "left": ("dx", -1), "right": ("dx", 1)}
    if not isinstance(direction, str) or direction not in turns:
        raise Unusable("scroll_direction: expected up, down, left or right")
    axis, sign = turns[direction]
    return actions.while_held(_held(given), [{"op": "scroll", axis: sign * amount, **_place(given)}])


def _wait(given: Mapping[str, Any]) -> list[Operation]:
    return actions.waits(actions.seconds(_required(given, "duration"), "duration"))


def _zoom(given: Mapping[str, Any]) -> list[Operation]:
    left, top, right, bottom = actions.numbers(_required(given, "region"), "region", 4)
    if right <= left or bottom <= top:
        raise Unusable("region: expected [x0, y0, x1, y1] with x1 beyond x0 and y1 beyond y0")
    region = {"x": left, "y": top, "width": right - left, "height": bottom - top}
    return [{"op": "zoom", "region": region}]


def _always(operation: Operation) -> Callable[[Mapping[str, Any]], list[Operation]]:
    return lambda _: [operation]


_Member: TypeAlias = tuple[frozenset[str], Callable[[Mapping[str, Any]], list[Operation]]]
_CLICK = frozenset(("coordinate", "text"))

MEMBERS: dict[str, _Member] = {
    "key": (frozenset(("text", "repeat")), _key),
    "hold_key": (frozenset(("text", "duration")), _hold_key),
    "type": (frozenset(("text",)), _type),
    "cursor_position": (frozenset(), _always({"op": "pointer_position"})),
    "mouse_move": (frozenset(("coordinate",)), _move),
    "left_mouse_down": (frozenset(), _always({"op": "mouse_down"})),
    "left_mouse_up": (frozenset(), _always({"op": "mouse_up"})),
    "left_click": (_CLICK, _click),
    "left_click_drag": (_CLICK | {"start_coordinate"}, _drag),
    "right_click": (_CLICK, partial(_click, button="right")),
    "middle_click": (_CLICK, partial(_click, button="middle")),
    "double_click": (_CLICK, partial(_click, count=2)),
    "triple_click": (_CLICK, partial(_click, count=3)),
    "scroll": (_CLICK | {"scroll_direction", "scroll_amount"}, _scroll),
    "wait": (frozenset(("duration",)), _wait),
    "screenshot": (frozenset(), _always({"op": "look"})),
    "zoom": (frozenset(("region",)), _zoom),
}
"""Every member of the toolset: its fields, and what makes operations of them."""
