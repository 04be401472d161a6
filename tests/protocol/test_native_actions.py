"""Every action of the providers' own computer tools becomes operations, and what cannot be used is told, not guessed."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_agent.protocol.dialects import anthropic_tools, openai_tools
from desktop_agent.protocol.dialects.base import Dialect, ToolCall, dialect_of
from desktop_agent.protocol.errors import BadReply
from desktop_agent.protocol.keys import canonical
from desktop_agent.protocol.ops import OPS
from desktop_agent.protocol.schema import fields_schema

ANTHROPIC = dialect_of("anthropic_tools", anthropic_tools)
OPENAI = dialect_of("openai_tools", openai_tools)


def member(name: str, id: str = "t1", **given: Any) -> dict[str, Any]:
    """A call of a member of Anthropic's toolset."""
    return {"type": "tool_use", "id": id, "name": name, "toolset_name": "computer", "input": given}


def computer(*actions: dict[str, Any], id: str = "c1", **more: Any) -> dict[str, Any]:
    """A call of OpenAI's computer tool with a batch of actions."""
    call = {
        "type": "computer_call",
        "id": "i",
        "call_id": id,
        "status": "completed",
        "actions": list(actions),
    }
    return {"pending_safety_checks": [], **call, **more}


def read(dialect: Dialect, *items: dict[str, Any]) -> tuple[list[dict[str, Any]], tuple[ToolCall, ...]]:
    """The operations of an answer without what is left at its default, and its calls."""
    text = json.dumps(items)
    return [_said(op) for op in dialect.decode(text).actions], dialect.calls(text, 64)


def _said(op: Any) -> dict[str, Any]:
    fields = {f.name: (f.default, getattr(op, f.name)) for f in _fields(op)}
    return {"op": type(op).__struct_config__.tag} | {n: v for n, (d, v) in fields.items() if v != d}


def _fields(op: Any) -> Any:
    import msgspec

    return msgspec.structs.fields(op)


def test_all_members_of_the_sdk_are_known_with_all_their_fields() -> None:
    from anthropic.lib.tools._toolsets._computer_inputs import COMPUTER_INPUT_TYPES
    from anthropic.types.computer_member_name import COMPUTER_MEMBER_NAME_VALUES

    assert (
        set(anthropic_tools.MEMBERS) == set(COMPUTER_MEMBER_NAME_VALUES)
        and len(anthropic_tools.MEMBERS) == 17
    )
    for name, model in COMPUTER_INPUT_TYPES.items():
        assert anthropic_tools.MEMBERS[name][0] == set(model.model_fields), name


def test_all_actions_of_the_sdk_are_known_with_all_their_fields() -> None:
    from openai.types.responses import response_computer_tool_call as single
    from openai.types.responses.computer_action import ComputerAction

    for union in (ComputerAction, single.Action):
        models = get_args(get_args(union)[0])
        fields = {
            get_args(each.model_fields["type"].annotation)[0]: set(each.model_fields) for each in models
        }
        assert fields == {name: {*known, "type"} for name, (known, _) in openai_tools.ACTIONS.items()}


AT = {"x": 3, "y": 4}
MEMBERS: list[tuple[dict[str, Any], list[dict[str, Any]]]] = [
    (member("key", text="ctrl+s"), [{"op": "key_combo", "keys": ("ctrl", "s")}]),
    (member("key", text="Return", repeat=2), [{"op": "key_combo", "keys": ("enter",)}] * 2),
    (member("key", text="ctrl++"), [{"op": "key_combo", "keys": ("ctrl", "+")}]),
    (member("key", text="Alt+F4"), [{"op": "key_combo", "keys": ("alt", "f4")}]),
    (
        member("hold_key", text="shift+Right", duration=40),
        [
            {"op": "key_down", "key": "shift"}, {"op": "key_down", "key": "right"},
            {"op": "wait", "seconds": 30.0}, {"op": "wait", "seconds": 10.0},
            {"op": "key_up", "key": "right"}, {"op": "key_up", "key": "shift"},
        ],
    ),
    (member("type", text="Hi\n"), [{"op": "type", "text": "Hi\n"}]),
    (member("cursor_position"), [{"op": "pointer_position"}]),
    (member("mouse_move", coordinate=[3, 4]), [{"op": "move", **AT}]),
    (member("left_mouse_down"), [{"op": "mouse_down"}]),
    (member("left_mouse_up"), [{"op": "mouse_up"}]),
    (member("left_click"), [{"op": "click"}]),
    (member("left_click", coordinate=[3, 4], text="ctrl+shift"), [{"op": "click", **AT, "modifiers": ("ctrl", "shift")}]),
    (member("right_click", coordinate=[3, 4]), [{"op": "click", **AT, "button": "right"}]),
    (member("middle_click", coordinate=[3, 4]), [{"op": "click", **AT, "button": "middle"}]),
    (member("double_click", coordinate=[3, 4]), [{"op": "click", **AT, "count": 2}]),
    (member("triple_click", coordinate=[3, 4]), [{"op": "click", **AT, "count": 3}]),
    (
        member("left_click_drag", start_coordinate=[3, 4], coordinate=[30, 40], text="alt"),
        [{"op": "drag", "path": ((3, 4), (30, 40)), "modifiers": ("alt",)}],
    ),
    (member("scroll", scroll_direction="down", scroll_amount=5, coordinate=[3, 4]), [{"op": "scroll", "dy": -5, **AT}]),
    (
        member("scroll", scroll_direction="left", scroll_amount=2, text="ctrl"),
        [{"op": "key_down", "key": "ctrl"}, {"op": "scroll", "dx": -2}, {"op": "key_up", "key": "ctrl"}],
    ),
    (member("wait", duration=70), [{"op": "wait", "seconds": s} for s in (30.0, 30.0, 10.0)]),
    (member("screenshot"), [{"op": "look"}]),
    (member("zoom", region=[10, 20, 110, 70]), [{"op": "zoom", "region": (10, 20, 100, 50)}]),
]  # fmt: skip

ACTIONS: list[tuple[dict[str, Any], list[dict[str, Any]]]] = [
    ({"type": "click", "button": "wheel", **AT}, [{"op": "click", "button": "middle", **AT}]),
    ({"type": "click", "button": "back", **AT, "keys": None}, [{"op": "click", "button": "back", **AT}]),
    ({"type": "click", "button": "left", **AT, "keys": ["CTRL"]}, [{"op": "click", **AT, "modifiers": ("ctrl",)}]),
    ({"type": "double_click", **AT, "keys": ["META"]}, [{"op": "click", **AT, "count": 2, "modifiers": ("super",)}]),
    (
        {"type": "drag", "path": [AT, {"x": 5, "y": 6}, {"x": 7, "y": 8}], "keys": ["SHIFT"]},
        [{"op": "drag", "path": ((3, 4), (5, 6), (7, 8)), "modifiers": ("shift",)}],
    ),
    ({"type": "keypress", "keys": ["CTRL", "S"]}, [{"op": "key_combo", "keys": ("ctrl", "s")}]),
    ({"type": "keypress", "keys": ["ARROWLEFT"]}, [{"op": "key_combo", "keys": ("left",)}]),
    (
        {"type": "move", **AT, "keys": ["ALT"]},
        [{"op": "key_down", "key": "alt"}, {"op": "move", **AT}, {"op": "key_up", "key": "alt"}],
    ),
    ({"type": "screenshot"}, [{"op": "look"}]),
    ({"type": "scroll", **AT, "scroll_x": 0, "scroll_y": 320}, [{"op": "scroll", "dy": -3, **AT}]),
    ({"type": "scroll", **AT, "scroll_x": 10, "scroll_y": 0}, [{"op": "scroll", "dx": 1, **AT}]),
    ({"type": "type", "text": "grüß Gott"}, [{"op": "type", "text": "grüß Gott"}]),
    ({"type": "wait"}, [{"op": "wait", "seconds": 2.0}]),
]  # fmt: skip


@pytest.mark.parametrize(("call", "expected"), MEMBERS, ids=lambda each: str(each)[:60])
def test_a_member_of_anthropics_toolset(call: dict[str, Any], expected: list[dict[str, Any]]) -> None:
    older = {**call, "name": "computer", "input": {"action": call["name"], **call["input"]}}
    del older["toolset_name"]
    for said in (call, older):
        operations, (told,) = read(ANTHROPIC, said)
        assert [_plain(each) for each in operations] == expected
        assert (told.first, told.count, told.problem) == (0, len(expected), "")


@pytest.mark.parametrize(("action", "expected"), ACTIONS, ids=lambda each: str(each)[:60])
def test_an_action_of_openais_tool(action: dict[str, Any], expected: list[dict[str, Any]]) -> None:
    for call in (computer(action), computer(actions=None, action=action)):
        operations, (told,) = read(OPENAI, call)
        assert [_plain(each) for each in operations] == expected
        assert (told.count, told.problem, told.picture) == (len(expected), "", True)


def test_all_are_tried_above() -> None:
    assert {call["name"] for call, _ in MEMBERS} == set(anthropic_tools.MEMBERS)
    assert {action["type"] for action, _ in ACTIONS} == set(openai_tools.ACTIONS)


def _plain(operation: dict[str, Any]) -> dict[str, Any]:
    import msgspec

    plain = {
        n: msgspec.structs.astuple(v) if isinstance(v, msgspec.Struct) else v for n, v in operation.items()
    }
    if "path" in plain:
        plain["path"] = tuple(msgspec.structs.astuple(each) for each in plain["path"])
    return plain


BAD_MEMBERS = {
    "teleport": member("teleport", coordinate=[1, 2]),
    "unknown field": member("left_click", coordinate=[1, 2], pressure=3),
    "coordinate": member("left_click", coordinate=[1, 2, 3]),
    "coordinate: missing": member("mouse_move"),
    "whole number": member("mouse_move", coordinate=[1.5, 2]),
    "no key called": member("key", text="ctrl+bogus"),
    "no modifier": member("left_click", coordinate=[1, 2], text="a"),
    "scroll_direction": member("scroll", scroll_direction="sideways", scroll_amount=1),
    "scroll_amount": member("scroll", scroll_direction="up", scroll_amount=101),
    "region": member("zoom", region=[9, 9, 9, 20]),
    "duration": member("wait", duration=-1),
    "repeat": member("key", text="a", repeat=1000),
    "text": member("type", text="\x07"),
    "there is no toolset": {**member("find"), "toolset_name": "browser"},
    "there is no tool called": {"type": "tool_use", "id": "t1", "name": "rm", "input": {}},
    "not those of its schema": {"type": "tool_use", "id": "t1", "name": "open", "input": {"op": "run"}},
    "target: missing": {"type": "tool_use", "id": "t1", "name": "open", "input": {}},
    "no object": {**member("wait"), "input": []},
}


@pytest.mark.parametrize(("words", "bad"), BAD_MEMBERS.items(), ids=BAD_MEMBERS)
def test_before_a_call_that_cannot_be_used_all_is_done_and_nothing_after_it(
    words: str, bad: dict[str, Any]
) -> None:
    last = member("left_click", "t2", coordinate=[5, 6])
    operations, told = read(ANTHROPIC, member("type", "t0", text="a"), bad, last)
    assert operations == [{"op": "type", "text": "a"}]
    assert [(each.id, each.count) for each in told] == [("t0", 1), ("t1", 0), ("t2", 0)]
    assert words in told[1].problem and "could not be used" in told[2].problem


def test_of_a_batch_all_is_done_up_to_the_action_that_is_not_known() -> None:
    batch = ({"type": "click", "button": "left", **AT}, {"type": "levitate"}, {"type": "wait"})
    operations, (told,) = read(OPENAI, computer(*batch))
    assert [each["op"] for each in operations] == ["click"]
    assert told.count == 1 and "action 2 of 3" in told.problem and "levitate" in told.problem


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ({"type": "click", "button": "left", "x": -1, "y": 2}, "x: expected"),
        ({"type": "click", "button": "third", **AT}, "button"),
        ({"type": "keypress", "keys": []}, "expected a key"),
        ({"type": "keypress", "keys": ["DOWN", "DOWN"]}, "different keys"),
        ({"type": "drag", "path": [AT]}, "path"),
        ({"type": "drag", "path": [[1, 2], [3, 4]]}, "path"),
        ({"type": "scroll", **AT, "scroll_x": 0, "scroll_y": 10**6}, "scroll_y"),
        ({"type": "type"}, "text"),
        ({"type": "move", **AT, "keys": "CTRL"}, "keys"),
        ({"type": "click", "button": "left", **AT, "force": 1}, "unknown field"),
        ("click", "not known"),
    ],
)  # fmt: skip
def test_a_malformed_action_is_told(action: Any, words: str) -> None:
    operations, (told,) = read(OPENAI, computer(action))
    assert operations == [] and words in told.problem


def test_a_call_without_an_action_is_told() -> None:
    assert "no action" in read(OPENAI, computer())[1][0].problem


def test_of_too_many_actions_the_first_are_taken_and_the_rest_is_told() -> None:
    def held(dialect: Dialect, *items: dict[str, Any]) -> tuple[int, list[int], list[str]]:
        text = json.dumps(items)
        calls = dialect.calls(text, 8)
        return (
            len(dialect.decode(text, max_actions=8).actions),
            [each.count for each in calls],
            [each.problem for each in calls],
        )

    tabs = [member("key", f"t{number}", text="Tab", repeat=3) for number in range(4)]
    number, counts, told = held(ANTHROPIC, *tabs)
    assert (number, counts) == (8, [3, 3, 2, 0]) and told[:2] == ["", ""]
    assert "action 3 of 3" in told[2] and "at most 8" in told[2] and "Not executed" in told[3]
    clicks = [{"type": "click", "button": "left", "x": number, "y": 1} for number in range(20)]
    number, counts, told = held(OPENAI, computer(*clicks))
    assert (number, counts) == (8, [8]) and "action 9 of 20" in told[0] and "at most 8" in told[0]
    number, counts, told = held(OPENAI, computer(*clicks[:8], id="a"), computer(clicks[8], id="b"))
    assert (number, counts) == (8, [8, 0]) and told[0] == "" and "at most 8" in told[1]
    scroll = {"type": "scroll", "x": 1, "y": 1, "scroll_x": 0, "scroll_y": 100, "keys": ["CTRL"]}
    number, counts, told = held(OPENAI, computer(*[scroll] * 9))
    assert (number, counts) == (24, [24]), "a key that is held for an action is let go of with it"


def test_operations_are_bounded_whatever_is_set() -> None:
    operations, told = read(ANTHROPIC, *[member("hold_key", text="a", duration=300)] * 9)
    assert len(operations) == 60 and [each.count for each in told[:6]] == [12, 12, 12, 12, 12, 0]


def test_an_answer_without_a_call_is_a_note() -> None:
    text = json.dumps([{"type": "text", "text": "Nothing to do."}])
    assert ANTHROPIC.decode(text).notes == "Nothing to do." and ANTHROPIC.decode(text).actions == ()
    item = {"type": "message", "content": [{"type": "output_text", "text": "Hm."}]}
    assert OPENAI.decode(json.dumps([item])).notes == "Hm."


def test_the_plan_is_a_tool() -> None:
    given = {"high_level": ["Open it", "Save it"], "step": 2, "scope": []}
    plan = {"type": "function_call", "call_id": "c", "name": "plan", "arguments": json.dumps(given)}
    reply = OPENAI.decode(json.dumps([plan]))
    assert (reply.high_level, reply.step, reply.actions) == (("Open it", "Save it"), 2, ())
    bad = {**plan, "arguments": json.dumps({**given, "step": 3})}
    assert "step" in OPENAI.calls(json.dumps([bad]), 64)[0].problem
    assert OPENAI.decode(json.dumps([bad])).high_level == ()


def test_warnings_of_the_provider_come_with_the_call() -> None:
    checks = [
        {"id": "s1", "code": "malicious_instructions", "message": "The page gives orders."},
        {"id": "s2"},
    ]
    (told,) = read(OPENAI, computer({"type": "wait"}, pending_safety_checks=checks))[1]
    assert told.warnings == ("The page gives orders.", "a safety check without words")


def test_function_tools_are_strict_and_cover_what_the_computer_tool_does_not() -> None:
    operations = tuple(OPS)
    for dialect in (ANTHROPIC, OPENAI):
        assert dialect.tools is not None
        tools = {each.name: each for each in dialect.tools(operations)}
        assert {"plan", "type_into_element", "click_element", "ask", "done", "fail", "run", "look"} <= set(
            tools
        )
        assert not dialect.covered & set(tools)
        for tool in tools.values():
            assert set(tool.schema["required"]) == set(tool.schema["properties"]) and tool.description
        assert tools["type_into_element"].schema["properties"]["element"]["type"] == "string"
    assert "op" not in fields_schema(OPS["click"])["properties"]


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
FUNCTIONS = [
    (ANTHROPIC, {"type": "tool_use", "id": "t", "name": "open", "input": {"target": "notes"}}),
    (OPENAI, {"type": "function_call", "call_id": "c", "name": "open", "arguments": '{"target": "notes"}'}),
]
SEEDS = [(ANTHROPIC, call) for call, _ in MEMBERS] + [(OPENAI, computer(action)) for action, _ in ACTIONS]


@given(
    seed=st.sampled_from(FUNCTIONS) | st.sampled_from(SEEDS),
    junk=JUNK,
    at=st.integers(0, 30),
    drop=st.booleans(),
)
def test_nothing_a_provider_sends_is_a_crash(
    seed: tuple[Dialect, dict[str, Any]], junk: Any, at: int, drop: bool
) -> None:
    dialect, call = seed
    said = copy.deepcopy(call)
    places = list(_places(said))
    node, key = places[at % len(places)]
    if drop and isinstance(node, dict) and key != "type":
        del node[key]
    else:
        node[key] = junk
    text = json.dumps([said])
    dialect.messages(text)
    try:
        reply = dialect.decode(text)
    except BadReply:
        return
    assert sum(each.count for each in dialect.calls(text, 64)) == len(reply.actions)


def _places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every field and every item inside, to be put in another's place."""
    for key in node if isinstance(node, dict) else range(len(node)):
        yield node, key
        if isinstance(node[key], dict | list):
            yield from _places(node[key])


KEY_NAMES = """
Return Tab Escape Up Down Left Right Home End Page_Up Page_Down Delete BackSpace Insert space F1 F12 Super_L
Control_L Alt_L Shift_L Caps_Lock Num_Lock KP_Enter KP_0 Print Menu XF86AudioMute ENTER ESC CTRL ALT SHIFT CMD
OPTION WIN ARROWUP ARROWDOWN ARROWLEFT ARROWRIGHT PAGEUP PAGEDOWN BACKSPACE DELETE CAPSLOCK SPACE SUPER HOME
"""


@pytest.mark.parametrize("name", KEY_NAMES.split())
def test_key_names_of_both_providers_are_known(name: str) -> None:
    assert canonical(name)
