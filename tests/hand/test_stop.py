"""ESC and the other stops, with real processes on a real display."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
import xcffib.xproto

from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import HandError
from tests.desk import Desk, until
from tests.hand.human import ESCAPE, Human
from tests.hand.workplace import Workplace


def a_terminal(desk: Desk, path: Path) -> int:
    """A terminal that writes what is typed into a file, line by line."""
    return desk.launch("xterm", "-T", "lines", "-e", "sh", "-c", f"cat > {path}", title="lines")


def test_work_is_done_and_nothing_is_held(workplace: Workplace, tmp_path: Path) -> None:
    terminal = a_terminal(workplace.desk, tmp_path / "typed")
    words = "Hello wörld, 你好 – \tdone\n" * 5
    assert workplace.do(ops.Type(words), ops.KeyCombo(("ctrl", "d"))) == ["done", "done"]
    until(lambda: (tmp_path / "typed").read_text() == words, "the typed words")
    assert workplace.desk.held() == (set(), 0)
    until(lambda: not workplace.desk.target.windows(), f"the end of {terminal}")


def test_escape_stops_in_the_middle_of_typing(workplace: Workplace, human: Human, tmp_path: Path) -> None:
    terminal = a_terminal(workplace.desk, tmp_path / "typed")
    job = workplace.begin(ops.Type("x\n" * 2000, delay=0.002))
    until(lambda: (tmp_path / "typed").stat().st_size > 20, "some typing")
    human.tap()
    (result,) = job.results()
    assert result.outcome == "stopped"
    assert "ESC was pressed" in result.detail and "of 4000 characters were typed" in result.detail
    workplace.await_stop("ESC was pressed")
    assert workplace.desk.held() == (set(), 0)
    workplace.desk.end(terminal)


def test_escape_stops_in_the_middle_of_a_drag(workplace: Workplace, human: Human) -> None:
    path = tuple(ops.Spot(20 + 10 * (n % 2), 700) for n in range(64))
    job = workplace.begin(ops.KeyDown("ctrl"), ops.Drag(path, "left", ("shift",)))
    until(lambda: workplace.desk.held()[1], "the button pressed")
    human.tap()
    assert [result.outcome for result in job.results()] == ["done", "stopped"]
    assert workplace.desk.held() == (set(), 0)


def test_the_stop_stays_until_the_reset_and_old_batches_stay_refused(
    workplace: Workplace, human: Human
) -> None:
    before = workplace.hands.generation
    human.tap()
    workplace.await_stop("ESC was pressed")
    assert workplace.hands.stopped and workplace.hands.stop_reason == "ESC was pressed"
    assert workplace.do(ops.Move(5, 5)) == ["stopped"]
    workplace.hands.reset()
    assert not workplace.hands.stopped
    assert workplace.do(ops.Move(5, 5), generation=before) == ["stopped"]
    assert workplace.do(ops.Move(5, 5)) == ["done"]


def test_own_escape_does_not_stop_and_excuses_no_other(workplace: Workplace, human: Human) -> None:
    own = [ops.KeyCombo(("escape",))] * 5
    held = (ops.KeyDown("escape"), ops.Wait(0.4), ops.KeyUp("escape"))
    workplace.hold(*own, *held, ops.Wait(0.4))
    assert not workplace.hands.stopped and workplace.stops == []
    human.tap()
    workplace.await_stop("ESC was pressed")


def test_escape_of_the_human_while_the_own_one_is_held(workplace: Workplace, human: Human) -> None:
    job = workplace.begin(ops.KeyDown("escape"), ops.Wait(25))
    human.tap()
    assert job.results()[-1].outcome == "stopped"


def test_escape_is_seen_under_a_grab_of_keyboard_and_server(workplace: Workplace, human: Human) -> None:
    display = human.display
    mode = xcffib.xproto.GrabMode.Async
    display.core.GrabKeyboard(False, display.root, 0, mode, mode).reply()
    job = workplace.begin(ops.Wait(25))
    display.core.GrabServer()
    human.tap()
    workplace.await_stop("ESC was pressed")
    assert job.results()[0].outcome == "stopped"
    display.core.UngrabServer()
    display.core.UngrabKeyboard(0)
    display.sync()


def test_the_program_stops_at_once(workplace: Workplace) -> None:
    job = workplace.begin_holding()
    workplace.hands.stop("you pressed Stop")
    assert job.results()[-1].outcome == "stopped"
    assert workplace.desk.held() == (set(), 0)
    workplace.await_stop("you pressed Stop")
    assert workplace.hands.stop_reason == "you pressed Stop"


def test_pause_skips_the_rest(workplace: Workplace) -> None:
    job = workplace.begin(ops.Wait(25))
    workplace.hands.pause(True)
    assert [(r.outcome, r.detail) for r in job.results()] == [("skipped", "paused")]
    workplace.hands.pause(False)
    assert workplace.do(ops.Move(5, 5)) == ["done"]


def test_a_stuck_hand_is_ended_and_what_it_held_released(workplace: Workplace, human: Human) -> None:
    job = workplace.begin_holding()
    os.kill(workplace.hand, signal.SIGSTOP)
    human.tap(ESCAPE)
    workplace.await_release()
    workplace.await_stop("ESC was pressed")
    assert "did not answer" in job.error().message
    workplace.hands.reset()
    assert workplace.do(ops.Move(5, 5)) == ["done"]


def test_a_guard_that_does_not_answer_stops_the_hand(workplace: Workplace) -> None:
    job = workplace.begin_holding()
    os.kill(workplace.guard, signal.SIGSTOP)
    workplace.await_release()
    result = job.results()[-1]
    os.kill(workplace.guard, signal.SIGCONT)
    assert result.outcome == "failed" and "guard process does not answer" in result.detail


def test_the_hand_sees_escape_by_itself_while_the_guard_does_not(workplace: Workplace, human: Human) -> None:
    job = workplace.begin(ops.Wait(25))
    os.kill(workplace.guard, signal.SIGSTOP)
    human.tap()
    result = job.results()[-1]
    os.kill(workplace.guard, signal.SIGCONT)
    assert (result.outcome, result.detail) == ("stopped", "ESC was pressed")
    workplace.await_stop("ESC was pressed")


def test_own_windows_are_not_touched(workplace: Workplace, tmp_path: Path) -> None:
    terminal = a_terminal(workplace.desk, tmp_path / "typed")
    middle = workplace.desk.wait_for_window("lines").bounds.center
    workplace.hands.protect([terminal])
    for op in (ops.Type("secret"), ops.Click(middle.x, middle.y)):
        assert workplace.do(op) == ["refused"]
    workplace.hands.protect([])
    assert workplace.do(ops.Click(middle.x, middle.y), ops.Type("y")) == ["done", "done"]
    workplace.desk.end(terminal)


def test_one_batch_at_a_time(workplace: Workplace) -> None:
    job = workplace.begin(ops.Wait(25))
    with pytest.raises(HandError, match="another batch"):
        workplace.do(ops.Move(5, 5))
    workplace.hands.stop()
    job.results()
