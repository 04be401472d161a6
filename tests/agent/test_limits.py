"""Limits of a run: each is told before it is passed, and a yes gives as much again."""

from __future__ import annotations

import threading

from desktop_agent.agent.inbox import Inbox, Words
from desktop_agent.agent.limits import Budget, RunTime
from desktop_agent.llm.base import TokenUsage
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support.config import AgentSettings


def test_turns_are_limited_until_more_are_given() -> None:
    budget = Budget(AgentSettings(max_steps=2))
    assert not budget.reached(2) and "2 steps" in budget.reached(3)
    budget.extend(3)
    assert not budget.reached(4) and budget.reached(5)


def test_tokens_are_told_before_the_call_that_would_pass_them() -> None:
    budget = Budget(AgentSettings(max_steps=9, max_tokens=250))
    budget.spend(TokenUsage(90, 0, 10), 1)
    assert not budget.reached(2)
    budget.spend(TokenUsage(90, 0, 10), 2)
    assert "250 tokens" in budget.reached(3)
    budget.extend(3)
    assert not budget.reached(3)


def test_money_is_told_before_it_is_passed_and_when_the_price_is_not_known() -> None:
    budget = Budget(AgentSettings(max_steps=9, max_dollars=1.0))
    budget.spend(TokenUsage(1, 0, 1, 0.6), 1)
    assert "$1" in budget.reached(2)
    budget.extend(2)
    assert not budget.reached(2)
    unknown = Budget(AgentSettings(max_steps=9, max_dollars=1.0))
    unknown.spend(TokenUsage(1, 0, 1), 1)
    assert "not known" in unknown.reached(2)
    unknown.extend(2)
    assert not unknown.reached(3)


def test_tokens_add_up() -> None:
    budget = Budget(AgentSettings(max_steps=9))
    budget.spend(TokenUsage(100, 50, 10), 1)
    total = budget.spend(TokenUsage(1, 0, 2, 0.5), 2)
    assert (total.step, total.max_steps, total.input_tokens, total.cached_tokens, total.output_tokens, total.dollars) == (
        2, 9, 101, 50, 12, 0.5,
    )  # fmt: skip


def test_time_that_is_waited_for_the_user_does_not_count() -> None:
    inbox, over, stop = Inbox(), threading.Event(), StopFlag()
    clock = RunTime(30.0, inbox, over.set)
    before = clock.left
    answer = threading.Timer(0.2, inbox.say, [Words("yes")])
    answer.start()
    inbox.wait_for_words(stop)
    assert inbox.waited >= 0.15 and before - clock.left < inbox.waited


def test_the_end_of_the_time_is_told_again_after_an_extension() -> None:
    told = threading.Semaphore(0)
    clock = RunTime(0.05, Inbox(), lambda: told.release())
    clock.start()
    assert told.acquire(timeout=10)
    assert clock.left <= 0
    clock.extend()
    assert told.acquire(timeout=10)
    clock.close()
