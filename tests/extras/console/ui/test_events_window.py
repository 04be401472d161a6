"""The events that the agent tells stand in the window, those from before it was opened too."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QApplication

from desktop_agent.extras.console.windows.events import EventsBesideChat
from desktop_agent.protocol.agent_events import GoalReached, Plan, Status
from desktop_agent.ui.run_window import WindowOptions, open_window
from tests.ui.scripted import ScriptedPort
from tests.ui.spinning import until_true


def test_what_is_told_stands_in_the_window(qapp: QApplication, tmp_path: Path) -> None:
    port, events = ScriptedPort(), EventsBesideChat()
    window, bridge = open_window(port, WindowOptions(tmp_path, theme="light", more=(events,)))
    try:
        port.play(Status(state="planning"), Plan(steps=("Open", "Save"), current=0))
        until_true(lambda: len(events._lines) == 2, "the first events")
        next(each for each in window.header.menu.actions() if each.text() == "Events …").trigger()
        assert events.view is not None and events.view.isVisible()
        assert events.view.toPlainText() == "planning\nOpen → Save"
        port.play(GoalReached(summary="Saved."))
        until_true(lambda: events.view and events.view.toPlainText().endswith("\nSaved."), "the last event")
    finally:
        window.close()
        assert bridge.close()
        window.deleteLater()
        qapp.processEvents()
