"""A locked screen, a session that ends: the run waits for the user, or is over with everything closed."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from desktop_agent.agent.runlog.hash_chained_log import read
from desktop_agent.platforms.windows.session_events import Change
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.protocol.errors import CannotAct
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.startup import session_watch
from desktop_agent.vision.capture.frame import Frame
from tests.agent.test_run_loop import CLICK, DONE, turn
from tests.support.memory_desk import Bench, MemoryTarget, ScriptedModel

LOCKED = CannotAct("Cannot act here: the screen is locked.", "Unlock it, then press Resume.")


class Lockable(MemoryTarget):
    """A desktop that cannot be looked at while it is locked."""

    locked = False

    def observe(self, region: Rect | None = None) -> Frame:
        if self.locked:
            raise LOCKED
        return super().observe(region)


def resuming(bench: Bench, target: Lockable) -> list[str]:
    """Unlock and resume at each pause; what was said of them."""
    said: list[str] = []

    def hear(event: FeedEvent) -> None:
        if isinstance(event, say.Status) and event.state == "paused":
            said.append(event.detail)
            target.locked = False
            bench.session.resume()

    bench.on_event = hear
    return said


def test_a_locked_screen_is_waited_for(tmp_path: Path) -> None:
    target = Lockable()
    bench = Bench(ScriptedModel(DONE), tmp_path, target)
    said = resuming(bench, target)
    target.locked = True
    bench.run()
    assert said == [str(LOCKED)]
    assert bench.states[-1] == "done" and not bench.of(say.Error)


def test_a_screen_that_is_locked_while_the_agent_acts_is_waited_for_too(tmp_path: Path) -> None:
    target = Lockable()
    bench = Bench(ScriptedModel(turn(CLICK), DONE), tmp_path, target)
    said = resuming(bench, target)
    resumed = bench.on_event

    def hear(event: FeedEvent) -> None:
        target.locked = target.locked or isinstance(event, say.Action)
        resumed(event)

    bench.on_event = hear
    bench.run()
    assert said == [str(LOCKED)] and bench.states[-1] == "done"
    assert [event.outcome for event in bench.of(say.Result)] == ["done"]  # the click is told, seen or not


@pytest.mark.parametrize("change", ["locked", "disconnected", "asleep"])
def test_a_run_pauses_with_the_session(change: Change, tmp_path: Path) -> None:
    model = ScriptedModel(DONE)
    bench = Bench(model, tmp_path)

    def think(stop: StopFlag) -> None:
        if len(model.asked) == 1:
            session_watch.react(bench.session, change)
            stop.wait(60)

    model._wait = think
    said: list[str] = []

    def hear(event: FeedEvent) -> None:
        if isinstance(event, say.Status) and event.state == "paused":
            said.append(event.detail)
            bench.session.resume()

    bench.on_event = hear
    bench.run()
    assert said == [session_watch.PAUSES[change]] and bench.states[-1] == "done"


def test_nothing_pauses_when_nothing_runs(tmp_path: Path) -> None:
    bench = Bench(ScriptedModel(DONE), tmp_path)
    session_watch.react(bench.session, "locked")
    assert bench.run()[-1] and bench.states[-1] == "done" and "paused" not in bench.states


def test_at_the_end_of_the_session_the_run_is_stopped_and_its_log_closed(tmp_path: Path) -> None:
    model = ScriptedModel(DONE)
    bench = Bench(model, tmp_path)
    thinking = threading.Event()

    def think(stop: StopFlag) -> None:
        thinking.set()
        stop.wait(60)
        stop.check()

    model._wait = think
    agent = threading.Thread(target=bench.session.serve)
    agent.start()
    bench.session.send("press it")
    assert thinking.wait(30)
    session_watch.react(bench.session, "ending")  # returns when the agent is done
    assert bench.session.over.is_set()
    (log,) = tmp_path.rglob("events.jsonl")
    last = [each for each in read(log) if "state" in each.data][-1]
    assert last.data["state"] == "stopped" and last.data["detail"] == session_watch.ENDING
    agent.join(30)
    assert not agent.is_alive()
