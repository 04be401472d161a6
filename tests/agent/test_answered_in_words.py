"""A run in which the model only spoke ends as answered: it is not asked whether that is done, nor told as done."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_agent.protocol import agent_events as say
from tests.agent.test_run_loop import CLICK, turn
from tests.support.memory_desk import Bench, ScriptedModel


def spoken(folder: Path, goal: str, *replies: str) -> Bench:
    """A run of a model that proves nothing; the first question ends it."""
    bench = Bench(ScriptedModel(*replies, proves_done=False), folder)
    bench.on_event = lambda event: bench.session.stop("asked") if isinstance(event, say.Question) else None
    bench.run(goal)
    return bench


@pytest.mark.parametrize(
    ("goal", "answer"),
    [
        ("What can you do?", "I work the mouse and the keyboard."),
        ("what did you just do?", "I opened the editor and saved the letter."),
        ("I wonder whether the blue one is better", "The blue one, as it is smaller. Shall I order it?"),
        ("hello", "Hello! I am ready."),
        ("save the letter", "Which letter do you mean? I have not saved any."),
    ],
)
def test_words_alone_are_an_answer_and_move_nothing(goal: str, answer: str, tmp_path: Path) -> None:
    bench = spoken(tmp_path, goal, turn({"op": "done", "summary": answer}))
    (end,) = bench.of(say.GoalReached)
    assert end.answered and end.summary == answer and not end.said_by_user
    assert end.verdict == "unverified" and "nothing was done" in end.receipts[0].detail
    assert bench.of(say.Question) == [] and bench.of(say.Action) == [] and not bench.target.input.events
    assert bench.states[-1] == "done"


@pytest.mark.parametrize("acts", [0, 1])
def test_a_deed_that_is_claimed_or_begun_is_no_answer(acts: int, tmp_path: Path) -> None:
    """What it claims without having acted, and what it says after it has, is checked and asked about."""
    summary = "The letter is there." if acts else "I have saved the letter."
    done = turn({"op": "done", "summary": summary})
    bench = spoken(tmp_path, "save the letter", *[turn(CLICK)] * acts, done, done, done)
    assert bench.of(say.GoalReached) == []
    assert "Is it done?" in bench.of(say.Question)[0].text
