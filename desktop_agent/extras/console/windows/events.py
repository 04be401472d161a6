"""The window of the events: each thing that the agent tells, a line each, as it comes."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING

from desktop_agent.protocol.agent_events import (
    Action,
    Error,
    FeedEvent,
    GoalReached,
    Plan,
    Question,
    Result,
    Status,
)
from desktop_agent.startup.arguments import Arguments
from desktop_agent.support.config import Config
from desktop_agent.support.language import tr

if TYPE_CHECKING:  # Qt is loaded with the main window
    from PySide6.QtWidgets import QPlainTextEdit

    from desktop_agent.agent.session import AgentSession
    from desktop_agent.ui.bridge import Bridge
    from desktop_agent.ui.shell.window import Window

MOST_LINES = 500


def create(settings: Config, arguments: Arguments, session: AgentSession) -> EventsBesideChat:
    """The window of whatever session the main window shows."""
    del settings, arguments, session
    return EventsBesideChat()


class EventsBesideChat:
    """Keeps the newest lines, and shows them in a window that its entry in the menu opens."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=MOST_LINES)
        self.view: QPlainTextEdit | None = None

    def join(self, window: Window, bridge: Bridge) -> None:
        """Listen to the agent, and put the entry into the menu."""
        bridge.arrived.connect(self._take)
        window.header.add_window(tr("Events …"), lambda: self.show(window))

    def show(self, window: Window) -> None:
        """Show the window; one that is open already comes to the front."""
        if self.view is None:
            self.view = self._made(window)
        self.view.show()
        self.view.raise_()
        self.view.activateWindow()

    def close(self) -> None:
        """Nothing to end: the window goes with the main one."""

    def _made(self, window: Window) -> QPlainTextEdit:
        from PySide6.QtCore import Qt
        from PySide6.QtWidgets import QPlainTextEdit

        from desktop_agent.ui.shell.beside_window import follow_theme, place_beside

        view = QPlainTextEdit("\n".join(self._lines), window, readOnly=True, maximumBlockCount=MOST_LINES)
        view.setWindowFlag(Qt.WindowType.Window)
        view.setWindowTitle(tr("Events"))
        view.setAccessibleName(tr("Events"))
        follow_theme(view, window.theme)
        place_beside(view, window, 640, 420)
        return view

    def _take(self, events: Sequence[FeedEvent]) -> None:
        for words in filter(None, map(_words, events)):
            self._lines.append(words)
            if self.view is not None:
                self.view.appendPlainText(words)


def _words(event: FeedEvent) -> str:
    """The event in a line for people; "" for what is only drawn."""
    match event:
        case Status(state=state, detail=detail):
            return f"{state} {detail}".strip()
        case Plan(steps=steps):
            return " → ".join(steps)
        case Action(number=number, words=words):
            return f"{number}  {words}"
        case Result(number=number, words=words, outcome=outcome, effect=effect):
            return f"{number}  {words}: {outcome}, {effect}"
        case Question(text=text):
            return text
        case GoalReached(summary=summary):
            return summary
        case Error(message=message):
            return message
    return ""
