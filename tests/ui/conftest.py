"""Windows on the one display that all of them share; any Qt warning nobody expects fails the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from desktop_agent.agent.choices import Choices
from desktop_agent.protocol.agent_events import FeedEvent
from desktop_agent.support.language import use_language
from desktop_agent.ui.bridge import Bridge
from desktop_agent.ui.run_window import WindowOptions, open_window
from desktop_agent.ui.shell.window import Window
from desktop_agent.ui.widgets.theme import Mode
from tests.desk import Desk
from tests.ui.hands import Hands
from tests.ui.scripted import ScriptedPort
from tests.ui.spinning import spin, until_true


@pytest.fixture(autouse=True)
def on_the_desk(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own X connections and child programs find the private display."""
    desk.lead(monkeypatch.setenv)


OF_READERS = "AtSpiAdaptor::applicationInterface does not implement"
"""What Qt says when a screen reader asks for something that Qt's bridge has not got."""


@pytest.fixture(autouse=True)
def no_qt_warnings() -> Iterator[None]:
    said: list[str] = []

    def listen(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        if kind != QtMsgType.QtDebugMsg and not message.startswith(OF_READERS):
            said.append(f"{kind.name}: {message} ({context.file}:{context.line})")

    before = qInstallMessageHandler(listen)
    yield
    qInstallMessageHandler(before)
    assert not said


class Stage:
    """An open window with its scripted agent."""

    def __init__(self, window: Window, bridge: Bridge, port: ScriptedPort) -> None:
        self.window, self.port = window, port
        self.taken = 0
        bridge.arrived.connect(self._count)

    def _count(self, events: list[FeedEvent]) -> None:
        self.taken += len(events)

    def wait(self, condition: Callable[[], object], what: str) -> None:
        """Let Qt work until the condition holds."""
        until_true(condition, what)

    def pump(self, milliseconds: int) -> None:
        """Let Qt work for a while in which nothing is expected to happen."""
        spin(milliseconds)

    def play(self, *events: FeedEvent) -> None:
        """Play events and wait until the window has taken them all in."""
        before = self.taken
        self.port.play(*events)
        self.wait(lambda: self.taken >= before + len(events), "the events shown")

    def told(self, name: str) -> list[tuple[str, ...]]:
        return [call for call in self.port.told if call[0] == name]


@pytest.fixture
def opened(qapp: QApplication, tmp_path: Path) -> Iterator[Callable[..., Stage]]:
    """`opened(port=…, goal=…, theme=…)` opens the window; it is closed after the test."""
    stages: list[tuple[Window, Bridge]] = []

    def make(
        port: ScriptedPort | None = None,
        goal: str = "",
        theme: Mode | None = "light",
        choices: Choices | None = None,
    ) -> Stage:
        port = port or ScriptedPort()
        options = WindowOptions(tmp_path / "settings", goal=goal, theme=theme, choices=choices)
        window, bridge = open_window(port, options)
        stages.append((window, bridge))
        stage = Stage(window, bridge, port)
        stage.wait(lambda: window.windowHandle() and window.windowHandle().isExposed(), "the window shown")
        return stage

    yield make
    for window, bridge in stages:
        window.close()
        assert bridge.close()
        window.deleteLater()
    qapp.processEvents()


@pytest.fixture
def stage(opened: Callable[..., Stage]) -> Stage:
    return opened()


@pytest.fixture
def in_german() -> Iterator[None]:
    use_language("de")
    yield
    use_language("en")


@pytest.fixture
def hands(desk: Desk) -> Iterator[Hands]:
    human = Hands(desk)
    yield human
    human.close()


@pytest.fixture
def terminal(desk: Desk) -> Iterator[str]:
    """An application being worked: a terminal that has the keyboard. Gives its title."""
    pid = desk.launch("xterm", "-T", "the work", "-geometry", "60x20+20+20", "-e", "cat", title="the work")
    yield "the work"
    desk.end(pid)
