"""The plan as the run remembers it."""

from __future__ import annotations

from desktop_agent.agent.memory import Context
from desktop_agent.protocol.reply import Reply


def test_the_plan_and_its_step_are_kept() -> None:
    context = Context("goal", 5)
    assert context.take_plan(Reply(high_level=("a", "b", "c"), step=2))
    assert (context.plan, context.step) == (("a", "b", "c"), 1)
    assert not context.take_plan(Reply())
    assert not context.take_plan(Reply(high_level=("a", "b", "c"), step=2))
    assert context.take_plan(Reply(step=3))
    assert context.step == 2


def test_a_changed_plan_stays_on_the_same_words() -> None:
    context = Context("goal", 5)
    context.take_plan(Reply(high_level=("a", "b", "c"), step=2))
    context.take_plan(Reply(high_level=("a", "new", "b", "c")))
    assert context.step == 2


def test_a_step_beyond_the_plan_is_the_last() -> None:
    context = Context("goal", 5)
    context.take_plan(Reply(step=9))
    assert context.step == 0
