"""Limits, and noticing that nothing comes of it."""

from __future__ import annotations

import pytest

from desktop_agent.agent.limits import Budget, LimitReached
from desktop_agent.llm.base import TokenUsage
from desktop_agent.protocol import ops
from desktop_agent.protocol.reply import Reply

CLICK = Reply(actions=(ops.Click(x=1, y=1),))


def test_turns_are_limited() -> None:
    budget = Budget(max_turns=2)
    budget.check_turn(2)
    with pytest.raises(LimitReached, match="2 steps"):
        budget.check_turn(3)


def test_the_same_on_the_same_screen_is_stuck() -> None:
    budget = Budget(10)
    assert [bool(budget.stuck(CLICK, "a")) for _ in range(3)] == [False, False, True]
    budget.forgive()
    assert not budget.stuck(CLICK, "a")


def test_a_changing_screen_or_waiting_is_not_stuck() -> None:
    budget = Budget(10)
    assert not any(budget.stuck(CLICK, str(n)) for n in range(9))
    wait = Reply(actions=(ops.Wait(1),))
    assert not any(budget.stuck(wait, "a") for _ in range(9))


def test_silence_is_stuck_whatever_the_screen_shows() -> None:
    budget = Budget(10)
    assert [bool(budget.stuck(Reply(), str(n))) for n in range(3)] == [False, False, True]


def test_tokens_add_up() -> None:
    budget = Budget(9)
    budget.spend(TokenUsage(100, 50, 10), 1)
    total = budget.spend(TokenUsage(1, 0, 2, 0.5), 2)
    assert (total.step, total.max_steps, total.input_tokens, total.cached_tokens, total.output_tokens, total.dollars) == (
        2, 9, 101, 50, 12, 0.5,
    )  # fmt: skip
