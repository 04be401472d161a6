"""The human takes over: the run pauses, what was planned is dropped, resuming looks again first."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from desktop_agent.agent.inbox import Inbox
from desktop_agent.agent.pauses import TOOK, until_paused
from desktop_agent.hand.ipc.shared_block import Word
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.errors import Stopped
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.input_events import InputEvent
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.capture.frame import Frame
from tests.agent.test_run_loop import CLICK, DONE, turn
from tests.support.memory_desk import Bench, ScriptedModel


def details(bench: Bench) -> list[str]:
    return [event.detail for event in bench.of(say.Status) if event.state == "paused"]


def resuming(bench: Bench) -> None:
    """The user resumes every pause, as soon as it is told."""

    def hear(event: say.FeedEvent) -> None:
        if isinstance(event, say.Status) and event.state == "paused":
            bench.session.resume()

    bench.on_event = hear


def takes_over(bench: Bench, means: str) -> None:
    """What the guard does, and what it says."""
    shared = bench.hand.shared
    shared[Word.TAKEN] = shared[Word.ARMED]
    bench.hand.on_takeover(means)


def test_a_reply_in_flight_is_given_up_and_asked_for_again_after_a_new_look(tmp_path: Path) -> None:
    model = ScriptedModel(DONE)
    bench = Bench(model, tmp_path)
    resuming(bench)

    def think(stop: StopFlag) -> None:
        if len(model.asked) == 1:
            bench.hand.on_takeover("mouse")
            stop.wait(1_000)

    model._wait = think
    bench.run()
    assert details(bench) == [TOOK["mouse"]] and bench.states[-1] == "done"
    assert len(model.asked) == len(bench.of(say.LookTaken)) == 2


def test_a_pause_that_is_over_before_the_reply_comes_makes_it_stale_all_the_same(tmp_path: Path) -> None:
    model = ScriptedModel(turn(CLICK), DONE)
    bench = Bench(model, tmp_path)

    def think(stop: StopFlag) -> None:
        if len(model.asked) == 1:
            bench.hand.on_takeover("keyboard")
            bench.session.resume()

    model._wait = think
    bench.run()
    assert details(bench) == [TOOK["keyboard"]]
    assert bench.target.input.events == [] and len(bench.of(say.LookTaken)) == 2


def test_in_a_batch_the_rest_is_skipped_and_resuming_looks_again(tmp_path: Path) -> None:
    click: dict[str, Any] = {"op": "click", "x": 50, "y": 50}
    model = ScriptedModel(turn(CLICK, {"op": "wait", "seconds": 0.1}, click), DONE)
    bench = Bench(model, tmp_path)
    bench.hand.shared[Word.ARMED] = 1
    looks: list[int] = []

    def hear(event: say.FeedEvent) -> None:
        if isinstance(event, say.Status) and event.state == "paused":
            looks.append(len(bench.of(say.LookTaken)))
            bench.session.resume()

    def touched(event: InputEvent) -> None:
        if len(bench.target.input.events) == 2:  # the pointer moved and the button went down
            takes_over(bench, "mouse")

    bench.on_event, bench.target.input.after = hear, touched
    bench.run()
    assert [(e.outcome, e.detail) for e in bench.of(say.Result)] == [("skipped", "you took over")] * 3
    assert not bench.target.input.down and len(bench.target.input.events) == 3
    assert details(bench) == [TOOK["mouse"]] and looks == [1] and len(bench.of(say.LookTaken)) == 2
    assert "you took over" in model.asked[1].text


def test_while_the_screen_settles_a_takeover_is_told_at_once(tmp_path: Path) -> None:
    model = ScriptedModel(turn({"op": "open", "target": "a painting program"}), DONE)
    bench = Bench(model, tmp_path)
    bench.target.still = True  # nothing shows: without the takeover it waits for seconds
    resuming(bench)
    observe = bench.target.observe

    def watched(region: Rect | None = None) -> Frame:
        if bench.target.input.opened and len(bench.states) == 3:
            bench.hand.on_takeover("mouse")
        return observe(region)

    bench.target.observe = watched  # type: ignore[method-assign]
    bench.run()
    assert [event.effect for event in bench.of(say.Result)] == ["unknown"]
    assert details(bench) == [TOOK["mouse"]] and bench.states[-1] == "done"


def test_the_hand_stands_down_while_the_human_is_asked_and_at_the_end(tmp_path: Path) -> None:
    stood_down: list[tuple[str, int]] = []
    model = ScriptedModel(turn({"op": "ask", "question": "Which?"}), turn({"op": "pause"}), turn(CLICK), DONE)
    bench = Bench(model, tmp_path, step_mode="action")

    def hear(event: say.FeedEvent) -> None:
        if isinstance(event, say.Status):
            stood_down.append((event.state, bench.hand.stood_down))
            if event.state == "waiting_for_user" and event.detail == "Which?":
                bench.session.send("that one")
            elif event.state == "paused":
                bench.session.resume()
        elif isinstance(event, say.ApprovalAsked):
            bench.session.approve(event.id)

    bench.on_event = hear
    bench.run()
    asked = [count for state, count in stood_down if state in ("waiting_for_user", "paused", "done")]
    assert asked == [1, 2, 3, 4]
    assert [count for state, count in stood_down if state == "executing"] == [3]


def test_input_before_and_after_a_run_pauses_nothing(tmp_path: Path) -> None:
    bench = Bench(ScriptedModel(DONE), tmp_path)
    bench.run()
    bench.hand.on_takeover("mouse")
    bench.run("again")
    assert "paused" not in bench.states


def test_the_first_reason_of_a_pause_is_told(tmp_path: Path) -> None:
    inbox = Inbox()
    inbox.set_paused(True, "you took over")
    inbox.set_paused(True)
    assert (inbox.pauses, inbox.pause_reason) == (1, "you took over")


def test_work_ends_silently_at_a_pause_and_with_stopped_at_a_stop() -> None:
    inbox, stop = Inbox(), StopFlag()
    threading.Timer(0.05, inbox.set_paused, (True,)).start()
    with until_paused(stop, inbox) as halt:
        halt.wait(1_000)
    with until_paused(stop, inbox) as halt:  # still paused
        halt.wait(1_000)
    inbox.set_paused(False)
    threading.Timer(0.05, stop.set, ("ESC was pressed",)).start()
    with pytest.raises(Stopped, match="ESC was pressed"), until_paused(stop, inbox) as halt:
        halt.wait(1_000)
