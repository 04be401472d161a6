"""Without the window: a pause is answered at the terminal, or ends the run when nobody is there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchmarks.lab.memory_desk import Bench, ScriptedModel
from desktop_agent.agent.pauses import TOOK
from desktop_agent.headless import run_headless, text_printer
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.startup.exit_code import DONE, NEEDS_USER
from tests.agent.test_run_loop import DONE as SAYS_DONE


def taken_over(folder: Path) -> Bench:
    """The human takes the mouse while the model thinks for the first time."""
    model = ScriptedModel(SAYS_DONE)
    bench = Bench(model, folder)

    def think(stop: StopFlag) -> None:
        if len(model.asked) == 1:
            bench.hand.on_takeover("mouse")
            stop.wait(60)

    model._wait = think
    return bench


def test_with_nobody_there_a_takeover_ends_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = (tmp_path / "out").open("w+")
    assert run_headless(taken_over(tmp_path).session, "press it", text_printer(out), None) == NEEDS_USER
    out.seek(0)
    assert TOOK["mouse"] in out.read()
    assert "Give the goal again" in capsys.readouterr().err


@pytest.mark.parametrize(("line", "said"), [("\n", []), ("the other one\n", ["the other one"])])
def test_enter_at_the_terminal_resumes(
    line: str, said: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bench = taken_over(tmp_path)
    reading, writing = os.pipe()
    os.write(writing, line.encode())
    with os.fdopen(reading) as terminal, (tmp_path / "out").open("w+") as out:
        assert run_headless(bench.session, "press it", text_printer(out), terminal) == DONE
    os.close(writing)
    assert "Press Enter" in capsys.readouterr().err
    assert [event.text for event in bench.of(say.Goal)][1:] == said and len(bench.of(say.LookTaken)) == 2
