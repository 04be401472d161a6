"""A bad reply is refused with every error and its path; a good one arrives unchanged."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_agent.protocol import ops
from desktop_agent.protocol.dialects.json import decode
from desktop_agent.protocol.errors import BadReply
from desktop_agent.protocol.reply import MAX_ACTIONS, MAX_PROBLEMS, Reply

SEED_EXAMPLES = [
    '{"op":"move","x":400,"y":300}',
    '{"op":"click","button":"left"}',
    '{"op":"mouse_down","button":"left"}',
    '{"op":"mouse_up","button":"left"}',
    '{"op":"scroll","dx":0,"dy":-3}',
    '{"op":"key_down","key":"ctrl"}',
    '{"op":"key_up","key":"ctrl"}',
    '{"op":"key_combo","keys":["ctrl","c"]}',
    '{"op":"type","text":"easyeda.com","delay":0}',
    '{"op":"release_all"}',
    '{"op":"pause"}',
    '{"op":"stop"}',
]


def problems(text: str | bytes, allowed: list[str] | None = None) -> dict[str, str]:
    with pytest.raises(BadReply) as caught:
        decode(text, allowed)
    return {problem.path: problem.message for problem in caught.value.problems}


def of_action(**fields: object) -> str:
    return json.dumps({"actions": [fields]})


@pytest.mark.parametrize("example", SEED_EXAMPLES)
def test_the_commissioned_examples_are_understood(example: str) -> None:
    reply = decode(f'{{"high_level":["Do it"],"actions":[{example}],"notes":""}}')
    assert len(reply.actions) == 1
    assert ops.name_of(reply.actions[0]) == json.loads(example)["op"]


def test_every_error_is_listed_with_its_path() -> None:
    found = problems(
        '{"actions":[{"op":"click","x":1.5,"y":true},{"op":["click"]},{"op":"zap"},3,'
        '{"op":"drag","path":[{"x":1,"y":2},{"x":-1,"z":2}]}],"extra":1,"notes":3}'
    )
    assert set(found) == {
        "extra", "notes", "actions[0].x", "actions[0].y", "actions[1].op", "actions[2].op", "actions[3]",
        "actions[4].path[1].x",
    }  # fmt: skip


@pytest.mark.parametrize(
    "x", ["NaN", "Infinity", "1e308", "true", "1.5", "-1", "65536", '"400"', "[1]", "{}"]
)
def test_a_coordinate_is_a_whole_number_in_range(x: str) -> None:
    assert problems(f'{{"actions":[{{"op":"move","x":{x},"y":1}}]}}')


@pytest.mark.parametrize("seconds", ["NaN", "1e308", "-1", "31", "true", "null"])
def test_a_wait_is_bounded(seconds: str) -> None:
    assert problems(f'{{"actions":[{{"op":"wait","seconds":{seconds}}}]}}')


@pytest.mark.parametrize("name", ["approve", "resume"])
def test_the_humans_words_are_refused_from_a_model(name: str) -> None:
    assert "belongs to the human" in problems(of_action(op=name))["actions[0].op"]


def test_an_operation_that_is_not_offered_is_refused() -> None:
    assert (
        "not available"
        in problems(of_action(op="run", environment="bash", command="ls"), ["click"])["actions[0].op"]
    )


def test_deep_nesting_is_an_error_not_a_crash() -> None:
    assert "nested" in problems("[" * 200_000)["$"]
    deep = '{"actions":[{"op":"click","x":' + "[" * 900 + "]" * 900 + "}]}"
    assert problems(deep)


def test_an_oversized_reply_is_not_even_parsed() -> None:
    assert "bytes" in problems('{"notes":"' + "a" * 1_000_001 + '"}')["$"]


def test_five_thousand_actions_are_refused() -> None:
    many = json.dumps({"actions": [{"op": "release_all"}] * 5_000})
    assert f"at most {MAX_ACTIONS}" in problems(many)["actions"]


def test_a_giant_repetition_is_refused() -> None:
    assert problems(of_action(op="click", x=1, y=1, count=1_000_000_000))


def test_control_characters_are_keys_not_text() -> None:
    assert problems(of_action(op="type", text="a\x1bb"))
    assert decode(of_action(op="type", text="a\n\tb")).actions


def test_half_a_point_is_refused() -> None:
    assert "belong together" in problems(of_action(op="click", x=3))["actions[0]"]


def test_an_unknown_key_names_the_nearest() -> None:
    found = problems(of_action(op="key_combo", keys=["ctrl", "entr"]))
    assert "enter" in found["actions[0].keys[1]"]


def test_only_modifiers_modify() -> None:
    assert problems(of_action(op="click", x=1, y=1, modifiers=["a"]))


def test_a_step_lies_within_the_plan() -> None:
    assert "step" in problems('{"high_level":["one"],"step":2}')


def test_one_fence_is_taken_off_prose_is_not() -> None:
    assert decode('```json\n{"notes":"hi"}\n```') == Reply(notes="hi")
    assert problems('Sure! {"notes":"hi"}')


@pytest.mark.parametrize(
    "text",
    [
        '{"actions":[{"op":"move","x":1,"x":2,"y":3}]}',
        '{"actions":[],"actions":[{"op":"release_all"}]}',
        '{"actions":[{"op":"wait","op":"click","seconds":1}]}',
        '{"notes":"a","n\\u006ftes":"b"}',
    ],
)
def test_a_name_that_stands_twice_is_not_guessed_about(text: str) -> None:
    assert "stands twice in one object" in problems(text)["$"]


def test_a_fence_names_a_language_and_nothing_else() -> None:
    assert decode('```\n{"notes":"hi"}```') == decode('``` json \r\n{"notes":"hi"}\n```') == Reply(notes="hi")
    for text in ('```{"notes":"a"}\n{"notes":"b"}\n```', '```json {}\n{"notes":"hi"}\n```', "```\n```"):
        assert problems(text)["$"]


@pytest.mark.parametrize(
    "action",
    [
        {"op": "open", "target": "firefox\n"},
        {"op": "open", "target": "fire\x7ffox"},
        {"op": "run", "environment": "bash\n", "command": "ls"},
        {"op": "type", "text": "a\x85b"},
    ],
)
def test_a_line_feed_at_the_end_and_other_controls_are_refused(action: dict[str, str]) -> None:
    assert problems(json.dumps({"actions": [action]}))


@pytest.mark.parametrize(
    "text",
    [
        of_action(op="click", button="x" * 500_000),
        of_action(op="click", button="\x1b[2J\n\u202e"),
        of_action(op="x" * 500_000),
        '{"actions":[{"op":' + "[" * 900 + "]" * 900 + "}]}",
        '{"": 1}',
        '{"' + "k" * 500_000 + '": 1}',
        json.dumps({"actions": [{f"field{n}": 1 for n in range(999)} | {"op": "pause"}] * 16}),
        json.dumps({"actions": [{"op": "key_combo", "keys": ["nokey"] * 5}] * 16}),
    ],
)
def test_problems_are_few_and_can_be_read(text: str) -> None:
    found = [f"{path}: {message}" for path, message in problems(text).items()]
    assert 0 < len(found) <= MAX_PROBLEMS
    assert all(len(words) < 500 and words.isprintable() and words[0] != ":" for words in found)


@given(st.text() | st.binary())
def test_noise_never_crashes(noise: str | bytes) -> None:
    try:
        decode(noise)
    except BadReply as error:
        assert error.problems


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(sorted(ops.OPS)),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["op", "x", "y", "path", "keys", "key", "text", "actions", "element"]), inner
        )
    ),
    max_leaves=20,
)


@given(
    st.lists(
        st.dictionaries(st.sampled_from(["op", "x", "y", "keys", "text", "path", "button"]), JSON), max_size=4
    )
)
def test_whatever_is_accepted_reads_back_the_same(actions: list[object]) -> None:
    try:
        reply = decode(json.dumps({"actions": actions}))
    except BadReply as error:
        assert all(problem.path for problem in error.problems)
    else:
        assert decode(msgspec.json.encode(reply)) == reply


def test_a_question_may_offer_choices() -> None:
    (asked,) = decode(of_action(op="ask", question="Which?", choices=["The first", "The second"])).actions
    assert asked == ops.Ask("Which?", ("The first", "The second"))
    assert decode(of_action(op="ask", question="Which?", choices=[])).actions == (ops.Ask("Which?"),)


def test_a_question_without_choices_is_encoded_as_before_there_were_any() -> None:
    assert msgspec.json.encode(ops.Ask("Which?")) == b'{"op":"ask","question":"Which?"}'
    assert b'"choices":["Yes","No"]' in msgspec.json.encode(ops.Ask("Sure?", ("Yes", "No")))


@pytest.mark.parametrize(
    ("choices", "path", "words"),
    [
        (["a", "b", "c", "d", "e"], "choices", "length <= 4"),
        (["a", ""], "choices[1]", "length >= 1"),
        (["x" * 121], "choices[0]", "length <= 120"),
        (["a", " \u00a0"], "choices[1]", "is blank"),
        (["a\nb"], "choices[0]", "has a line break"),
        (["a\u2028"], "choices[0]", "has a line break"),
        (["Save", "no", " SAVE "], "choices[2]", "is the same as choices[0]"),
        ("Save", "choices", "array"),
        ([1], "choices[0]", "str"),
    ],
)
def test_a_choice_is_a_short_line_of_its_own(choices: object, path: str, words: str) -> None:
    found = problems(of_action(op="ask", question="Which?", choices=choices))
    assert list(found) == [f"actions[0].{path}"] and words in found[f"actions[0].{path}"]
