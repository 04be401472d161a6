"""Four roles in storage, two for providers: nothing is lost or told twice on the way."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from desktop_agent.protocol.chat_messages import (
    ApiMessage,
    GivenBlock,
    Message,
    PictureBlock,
    ResultBlock,
    TextBlock,
    collapsed,
    for_provider,
    text_of,
    words_of,
)
from desktop_agent.protocol.geometry import Size

PICTURE = PictureBlock("image/png", Size(2, 1), "AAAA")
ROLES = st.sampled_from(("user", "assistant", "command", "environment"))
MESSAGES = st.lists(st.builds(words_of, st.text(min_size=1, max_size=9), ROLES), max_size=12)


@given(MESSAGES)
def test_neighbours_are_joined_and_no_word_is_lost(messages: list[Message]) -> None:
    joined = collapsed(messages)
    assert all(one.role != other.role for one, other in pairwise(joined))
    assert text_of(joined) == text_of(messages)
    assert collapsed(joined) == joined


@given(MESSAGES)
def test_a_provider_gets_two_roles_in_turn_that_end_with_the_user(messages: list[Message]) -> None:
    found = for_provider(messages, "Go on.")
    assert all(one.role != other.role for one, other in pairwise(found))
    assert not found or found[-1].role == "user"
    added = [words_of("Go on.")] if messages and messages[-1].role in ("assistant", "command") else []
    assert text_of(found) == text_of([*messages, *added])


def test_the_environment_is_the_user_and_commands_are_the_assistant_to_a_provider() -> None:
    messages = [
        words_of("paint it"),
        Message("environment", (TextBlock("a window"), PICTURE)),
        words_of("I will", "assistant"),
        words_of("click", "command"),
    ]
    assert for_provider(messages, "more") == [
        ApiMessage("user", (TextBlock("paint it"), TextBlock("a window"), PICTURE)),
        ApiMessage("assistant", (TextBlock("I will"), TextBlock("click"))),
        ApiMessage("user", (TextBlock("more"),)),
    ]


def test_only_the_provider_that_gave_a_block_gets_it_back() -> None:
    call = GivenBlock("anthropic", {"type": "tool_use", "id": "t1"}, "left click", "t1")
    messages = [
        words_of("go"),
        Message("command", (call,)),
        Message("environment", (ResultBlock("t1", (TextBlock("done"), PICTURE)),)),
    ]
    own = for_provider(messages, "", "anthropic")
    assert own[1].content == (call,) and own[2].content == messages[2].content
    other = for_provider(messages, "", "openai")
    assert other[1].content == (TextBlock("left click"),)
    assert other[2].content == (TextBlock("done"), PICTURE)


def test_a_result_whose_call_is_no_longer_told_becomes_words() -> None:
    result = Message("environment", (ResultBlock("gone", (TextBlock("done"),), error=True),))
    assert for_provider([result], "", "anthropic") == [ApiMessage("user", (TextBlock("done"),))]
