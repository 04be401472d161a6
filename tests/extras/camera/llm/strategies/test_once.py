"""The strategy `once` types the goal one time and tells what is printed."""

from __future__ import annotations

import pytest

from desktop_agent.extras.camera.llm.strategies.base import Completion, TerminalContext
from desktop_agent.extras.camera.llm.strategies.once import Options, create
from desktop_agent.protocol.terminal_state import TerminalState
from desktop_agent.wire.base import TextInput

ONCE = create(Options(looks=4))
WAITING = TerminalState(("router>",), prompt="router>", activity="idle")
ANSWERED = TerminalState(("router> show clock", "12:31:07", "router>"), prompt="router>", activity="idle")


def test_the_line_is_typed_once_and_its_answer_told() -> None:
    context = TerminalContext("show clock").add_observation(WAITING)
    decision = ONCE.decide_action(context, WAITING)
    assert decision.action == TextInput("show clock\n")
    context = context.add_action(decision.action, decision.reasoning).with_outcome("done", "")
    context = context.add_observation(ANSWERED)
    assert ONCE.decide_action(context, ANSWERED).action is None
    assert ONCE.evaluate_completion(context, ANSWERED) == Completion("completed", "12:31:07")


@pytest.mark.parametrize("goal", ["", "one\ntwo"])
def test_a_goal_that_is_no_line_fails(goal: str) -> None:
    context = TerminalContext(goal).add_observation(WAITING)
    assert ONCE.evaluate_completion(context, WAITING).status == "failed"


def test_a_terminal_without_an_answer_is_given_up() -> None:
    silent = TerminalState(("",), activity="running")
    context = TerminalContext("show clock")
    for _ in range(3):
        context = context.add_observation(silent)
        assert ONCE.evaluate_completion(context, silent).status == "in work"
    context = context.add_observation(silent)
    assert ONCE.evaluate_completion(context, silent).status == "failed"
