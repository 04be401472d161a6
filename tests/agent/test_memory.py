"""The plan as the run remembers it."""

from __future__ import annotations

from desktop_agent.agent.memory import RunMemory
from desktop_agent.llm.base import Deed
from desktop_agent.protocol import ops
from desktop_agent.protocol.reply import Reply


def test_the_plan_and_its_step_are_kept() -> None:
    memory = RunMemory("goal", 5)
    assert memory.take_plan(Reply(high_level=("a", "b", "c"), step=2))
    assert (memory.plan, memory.step) == (("a", "b", "c"), 1)
    assert not memory.take_plan(Reply())
    assert not memory.take_plan(Reply(high_level=("a", "b", "c"), step=2))
    assert memory.take_plan(Reply(step=3))
    assert memory.step == 2


def test_a_changed_plan_stays_on_the_same_words() -> None:
    memory = RunMemory("goal", 5)
    memory.take_plan(Reply(high_level=("a", "b", "c"), step=2))
    memory.take_plan(Reply(high_level=("a", "new", "b", "c")))
    assert memory.step == 2


def test_a_step_beyond_the_plan_is_the_last() -> None:
    memory = RunMemory("goal", 5)
    memory.take_plan(Reply(step=9))
    assert memory.step == 0


def test_what_failed_in_this_turn_is_never_dropped() -> None:
    memory = RunMemory("goal", 2)
    memory.remember([Deed(1, ops.Wait(1), "early", "failed")])
    memory.turn = 2
    memory.remember([Deed(2, ops.Wait(1), "first", "failed"), *[Deed(2, ops.Wait(1), "later", "done")] * 3])
    assert [deed.words for deed in memory.deeds] == ["first", "later", "later"]
    memory.turn = 3
    memory.remember([Deed(3, ops.Wait(1), "next", "done")] * 2)
    assert [deed.words for deed in memory.deeds] == ["next", "next"]


def test_a_comment_stands_at_the_newest_deed() -> None:
    memory = RunMemory("goal", 2)
    memory.remember([Deed(1, ops.Wait(1), "waited", "done", "slowly")])
    memory.comment("Nothing came.")
    assert memory.deeds[-1].detail == "slowly. Nothing came."


def test_a_comment_on_what_was_told_already_is_told_for_itself() -> None:
    memory = RunMemory("goal", 5)
    memory.comment("First.")
    memory.remember([Deed(1, ops.Wait(1), "Waited 1 s", "done")])
    memory.take_untold()
    memory.comment("You did this before.")
    assert memory.take_remarks() == ("First.", "You did this before.") and memory.take_remarks() == ()
    memory.remember([Deed(2, ops.Wait(1), "Waited 1 s", "done")])
    memory.comment("Once more.")
    assert memory.take_untold()[-1].detail == "Once more." and memory.take_remarks() == ()
