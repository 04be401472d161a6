"""A real Esc in any program stops a run on a simulated desktop; one that is pressed on that desktop stops nothing."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from desktop_agent import app
from desktop_agent.agent.session import AgentSession
from desktop_agent.extras.avis.targets.simulated import SimulatedTarget
from desktop_agent.protocol.agent_events import FeedEvent, Status
from desktop_agent.protocol.input_events import KeyDown, KeyUp
from desktop_agent.startup import assembly
from desktop_agent.startup.arguments import Arguments
from desktop_agent.startup.escape_trial import EscapeInRuns
from desktop_agent.support import config, paths
from desktop_agent.targets import display as embedded
from tests.desk import Desk, until

pytestmark = pytest.mark.linux("works on an embedded display")

SESSION = ("DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS", "XDG_RUNTIME_DIR")


class Run:
    """A session on a scene that waits, served in a thread, as the program's window has it."""

    def __init__(self) -> None:
        given = Arguments(target="simulated:login", model="offline")
        settings = assembly.with_arguments(config.Config(), given)
        self.session: AgentSession = app.build(settings, given, True, *assembly.make_model(settings))
        self.escapes = EscapeInRuns(self.session, settings)
        self.states: list[Status] = []
        self.session.subscribe(self._hear)
        self.session.subscribe(self.escapes.hear)
        self._thread = threading.Thread(target=self.session.serve, daemon=True)
        self._thread.start()

    def _hear(self, event: FeedEvent) -> None:
        if isinstance(event, Status):
            self.states.append(event)

    @property
    def target(self) -> SimulatedTarget:
        target = self.session.parts.target
        assert isinstance(target, SimulatedTarget)
        return target

    def close(self) -> None:
        self.escapes.close()
        self.session.quit()
        self._thread.join(60)


@pytest.fixture
def run(shared_display: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> Iterator[Run]:
    """On a display that is the user's own."""
    monkeypatch.setattr(paths, "data", lambda: tmp_path)
    for name in SESSION:
        if name in shared_display.environment:
            monkeypatch.setenv(name, shared_display.environment[name])
    run = Run()
    yield run
    run.close()


def test_a_real_esc_stops_the_run_and_a_simulated_one_does_not(run: Run, shared_display: Desk) -> None:
    run.session.send("Wait 100 seconds")
    until(lambda: run.states and run.states[-1].state == "executing", "the run under way")
    until(lambda: run.escapes.watching, "the watch for Esc")
    hand = run.target.inline_input()
    for event in (KeyDown("escape"), KeyUp("escape")):
        hand.emit(event)
    human = embedded.attach(shared_display.target.address())
    try:
        human.emit(KeyDown("a"))
        human.emit(KeyUp("a"))
        assert run.states[-1].state == "executing"
        human.emit(KeyDown("escape"))
        human.emit(KeyUp("escape"))
        until(lambda: run.states[-1].state == "stopped", "the run stopped")
    finally:
        human.close()
    assert run.states[-1].detail == "ESC was pressed"
    until(lambda: not run.escapes.watching, "the watch at its end")
    assert shared_display.held() == (set(), 0)
