"""A whole run on a real display, with somebody at the mouse: it waits, and looks again before it goes on."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop_agent.agent.dependencies import Circumstances, Parts
from desktop_agent.agent.pauses import TOOK
from desktop_agent.agent.port import AgentInfo
from desktop_agent.agent.session import AgentSession
from desktop_agent.hand.client import Hands
from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.support.config import Config
from tests.agent.test_run_loop import CLICK, DONE, turn
from tests.support.desk import LabDesk
from tests.support.memory_desk import ScriptedModel

SECONDS = 60


class Run:
    """A session at work in a thread, and its events one after the other."""

    def __init__(self, desk: LabDesk, model: ScriptedModel, folder: Path) -> None:
        parts = Parts(
            desk, model, lambda address, on_stop: Hands(address, on_stop=on_stop), lambda frame, stop: ()
        )
        self.session = AgentSession(
            parts, Config(), Circumstances(folder), AgentInfo("lab", "scripted", "off", 20, True)
        )
        self._events: queue.SimpleQueue[say.FeedEvent] = queue.SimpleQueue()
        self.seen: list[say.FeedEvent] = []
        self.session.subscribe(self._events.put)
        self._thread = threading.Thread(target=self.session.serve)
        self._thread.start()
        self.session.send("press it")

    def await_state(self, state: str) -> say.Status:
        while True:
            event = self._events.get(timeout=SECONDS)
            self.seen.append(event)
            assert not isinstance(event, say.Error), event
            if isinstance(event, say.Status) and event.state == state:
                return event

    def await_action(self) -> None:
        while not isinstance(self._events.get(timeout=SECONDS), say.Action):
            pass

    def close(self) -> None:
        self.session.quit()
        self._thread.join(SECONDS)


@pytest.fixture
def desk() -> Iterator[LabDesk]:
    with LabDesk() as target:
        yield target


def test_the_mouse_pauses_a_run_and_resuming_looks_again(desk: LabDesk, tmp_path: Path) -> None:
    model = ScriptedModel(turn({"op": "wait", "seconds": 25}, CLICK), DONE)
    run = Run(desk, model, tmp_path)
    try:
        with desk.human() as human:
            run.await_action()
            human.pointer_event(500, 300)
            assert run.await_state("paused").detail == TOOK["mouse"]
            human.pointer_event(700, 300)  # at work, and nothing happens
            human.tap(0x61)
            run.session.resume()
            run.await_state("done")
            assert any(isinstance(event, say.LookTaken) for event in run.seen)
            assert [deed.detail for deed in model.asked[1].deeds] == ["you took over"] * 2
    finally:
        run.close()


def test_a_key_while_the_model_thinks_ends_its_thinking(desk: LabDesk, tmp_path: Path) -> None:
    model = ScriptedModel(turn(CLICK), turn(CLICK), DONE)
    thinking = threading.Event()

    def think(stop: StopFlag) -> None:
        if len(model.asked) == 2:
            thinking.set()
            stop.wait(SECONDS)

    model._wait = think
    run = Run(desk, model, tmp_path)
    try:
        with desk.human() as human:
            assert thinking.wait(SECONDS)
            human.tap(0x61)
            assert run.await_state("paused").detail == TOOK["keyboard"]
            run.session.resume()
            run.await_state("done")
    finally:
        run.close()
