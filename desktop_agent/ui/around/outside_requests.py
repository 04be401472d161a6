"""Does what is asked of the open window from outside: by a second start, the task bar's menu or a key of the desktop."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal

from desktop_agent.agent.port import ASKED_TO_STOP, AgentPort
from desktop_agent.protocol.instance_request import InstanceRequest
from desktop_agent.ui.around.around_window import Around
from desktop_agent.ui.shell.raise_window import bring_to_front
from desktop_agent.ui.shell.window import Window


class OutsideRequests(QObject):
    """Answers for one window, from any thread. Signal: `asked(request)`, queued to the UI thread."""

    asked = Signal(str)

    def __init__(self, window: Window, port: AgentPort, around: Around | None) -> None:
        super().__init__(window)
        self._window, self._port, self._around = window, port, around
        self.asked.connect(self._show, Qt.ConnectionType.QueuedConnection)

    def answer(self, request: InstanceRequest) -> bool:
        """Stop at once, or have something shown soon. Returns True: there is a window."""
        if request == "stop":
            self._port.stop(ASKED_TO_STOP)  # whatever the UI thread is busy with
        else:
            self.asked.emit(request)
        return True

    def _show(self, request: str) -> None:
        bring_to_front(self._window)
        if self._around is None:
            return
        if request == "history":
            self._around.show_history()
        elif request == "settings":
            self._around.show_settings()
