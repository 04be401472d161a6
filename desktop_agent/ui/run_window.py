"""Creates the QApplication and the window, does what is asked of it from outside, and runs the Qt event loop until it is closed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QMetaObject, QObject, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from desktop_agent.agent.choices import Choices
from desktop_agent.agent.port import ASKED_TO_STOP, AgentPort
from desktop_agent.protocol.instance_request import InstanceRequest
from desktop_agent.support import resources
from desktop_agent.ui.around.around_window import Around, AroundOptions
from desktop_agent.ui.bridge import Bridge
from desktop_agent.ui.shell.card_sight import Attention
from desktop_agent.ui.shell.dock import WindowIni
from desktop_agent.ui.shell.window import Window, bring_to_front
from desktop_agent.ui.shell.windows.taskbar import set_app_id
from desktop_agent.ui.welcome.welcome_guide import WelcomeGuide
from desktop_agent.ui.widgets.theme import Mode, Theme
from desktop_agent.vision.encoding.encode import load_qt

STUCK = 1


class MoreWindow(Protocol):
    """A window that an extra brings, made by the plug-in's `create(settings, arguments, session)`."""

    def join(self, window: Window, bridge: Bridge) -> None:
        """Put its entry into the main window's menu (`Header.add_window`); called once, before that is shown."""

    def close(self) -> None:
        """End all that belongs to it, with the program."""


@dataclass(frozen=True)
class WindowOptions:
    """How the window is opened.

    `folder` holds `window.ini` (geometry and theme); `goal` is sent at once when not empty; `theme`
    overrides the saved one; `painted` is called once, in the UI thread, after the first paint; `on_top`
    keeps the window above all others; `ready` receives a function that does what is asked from outside, and `closing` one
    that closes the window: both may be called from any thread. `asked` is done as soon as the window is there. With `closing`, or `quietly`, the window does not take
    the focus. `choices` are the settings, which cannot be changed where there are none. `around` describes the tray and
    the rest around the window; None for none of it. With `choices` and a `guide` the first start shows a page.
    `more` are windows of extras. `hints` shows over the screen what the agent does, `live_picture` shows what it sees, `snap` docks the window where
    it is dragged to an edge. `attention` is how a question calls the user.
    """

    folder: Path
    goal: str = ""
    theme: Mode | None = None
    painted: Callable[[], None] | None = None
    on_top: bool = True
    ready: Callable[[Callable[[InstanceRequest], bool]], None] | None = None
    asked: InstanceRequest | None = None
    closing: Callable[[Callable[[], None]], None] | None = None
    choices: Choices | None = None
    hints: bool = True
    live_picture: bool = True
    snap: bool = True
    attention: Attention = "flash"
    quietly: bool = False
    around: AroundOptions | None = None
    guide: WelcomeGuide | None = None
    more: tuple[MoreWindow, ...] = ()


def make_app() -> QApplication:
    """Return the process's QApplication with style, name and icon set; creates it when there is none."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication([sys.argv[0]])
        set_app_id()
    app.setApplicationName("desktop-agent")
    app.setDesktopFileName("desktop-agent")
    app.setStyle("Fusion")
    app.setWindowIcon(QIcon(str(resources.path("icons", "app.svg"))))
    return app


def open_window(port: AgentPort, options: WindowOptions) -> tuple[Window, Bridge]:
    """Create the window, start the agent's thread and show the window; needs a QApplication."""
    load_qt()
    settings = WindowIni(options.folder)
    bridge = Bridge(port)
    theme = Theme(options.theme or settings.theme)
    window = Window(bridge, theme, settings, options.choices, options.guide)
    window.snaps = options.snap
    window.body.live.shown = options.live_picture
    window.hints.switch(options.hints)
    window.sight.attention = options.attention
    window.setWindowFlag(Qt.WindowType.WindowStaysOnTopHint, options.on_top)
    if options.painted is not None:
        window.painted.connect(options.painted)
    around = Around(window, bridge, theme, options.around) if options.around is not None else None
    for each in options.more:
        each.join(window, bridge)
    bridge.start()
    if options.goal:
        window.show_quietly()
        window.send(options.goal)
    elif around is not None and around.starts_hidden:
        around.hide()
    elif options.closing is not None or options.quietly:
        window.show_quietly()
    else:
        window.painted.connect(window.welcome_first)
        window.show()
    return window, bridge


def _end_soon(app: QApplication) -> None:
    """End the event loop, from any thread."""
    QMetaObject.invokeMethod(app, "quit", Qt.ConnectionType.QueuedConnection)


def run_window(port: AgentPort, options: WindowOptions) -> int:
    """Show the window and run until it is closed; returns exit code 0.

    When the agent's thread does not end, the process ends at once with exit code 1 (STUCK): the hand
    and the guard release what is held when they lose the brain, and a thread that does not answer
    must not keep them waiting.
    """
    app = make_app()
    window, bridge = open_window(port, options)
    requests = OutsideRequests(window, port, window.findChild(Around))
    if options.ready is not None:
        options.ready(requests.answer)
    if options.asked is not None:
        window.painted.connect(partial(requests.answer, options.asked))
    if options.closing is not None:
        options.closing(partial(_end_soon, app))
    app.aboutToQuit.connect(bridge.close)  # at the end of a Windows session nothing after this is reached
    app.exec()
    ended = bridge.close()
    window.deleteLater()
    if not ended:
        sys.stderr.write("The agent did not end in time; ending the program. What it held is released.\n")
        sys.stderr.flush()
        os._exit(STUCK)
    return 0


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
