"""Sets Qt up, shows the window, runs until it is closed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from desktop_agent.agent.port import AgentPort
from desktop_agent.support import resources
from desktop_agent.ui.bridge import Bridge
from desktop_agent.ui.shell.dock import Memory
from desktop_agent.ui.shell.raise_window import Raiser
from desktop_agent.ui.shell.window import Window
from desktop_agent.ui.shell.windows.taskbar import introduce
from desktop_agent.ui.widgets.theme import Mode, Theme

STUCK = 1


@dataclass(frozen=True)
class WindowOptions:
    """`folder`: where place and theme are remembered; `goal`: words to start with; `theme`: instead of the
    remembered one; `painted`: called once, in the UI thread, when the window has been painted;
    `on_top`: keep it above all other windows; `ready`: called with what shows the window from any thread."""

    folder: Path
    goal: str = ""
    theme: Mode | None = None
    painted: Callable[[], None] | None = None
    on_top: bool = True
    ready: Callable[[Callable[[], bool]], None] | None = None


def make_app() -> QApplication:
    """The one QApplication, with the style everything else builds on."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        app = QApplication([sys.argv[0]])
        introduce()
    app.setApplicationName("desktop-agent")
    app.setDesktopFileName("desktop-agent")
    app.setStyle("Fusion")
    app.setWindowIcon(QIcon(str(resources.path("icons", "app.svg"))))
    return app


def open_window(port: AgentPort, options: WindowOptions) -> tuple[Window, Bridge]:
    """Make the window, start the agent's thread and show it; needs a QApplication."""
    memory = Memory(options.folder)
    bridge = Bridge(port)
    window = Window(bridge, Theme(options.theme or memory.theme), memory)
    window.setWindowFlag(Qt.WindowType.WindowStaysOnTopHint, options.on_top)
    if options.painted is not None:
        window.painted.connect(options.painted)
    bridge.start()
    if options.goal:
        window.show_quietly()
        window.send(options.goal)
    else:
        window.show()
    return window, bridge


def run_window(port: AgentPort, options: WindowOptions) -> int:
    """Show the window and work until it is closed: 0, or 1 when the agent's thread would not end.

    In that case the process ends at once: the hand and the guard release what is held when they
    lose the brain, and a thread that does not answer must not keep them waiting.
    """
    app = make_app()
    window, bridge = open_window(port, options)
    if options.ready is not None:
        options.ready(Raiser(window).ask)
    app.aboutToQuit.connect(bridge.close)  # at the end of a Windows session nothing after this is reached
    app.exec()
    ended = bridge.close()
    window.deleteLater()
    if not ended:
        sys.stderr.write("The agent did not end in time; ending the program. What it held is released.\n")
        sys.stderr.flush()
        os._exit(STUCK)
    return 0
