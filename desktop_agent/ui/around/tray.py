"""The icon in the tray: shows the state, and offers what one wants without the window."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QSystemTrayIcon, QWidget

from desktop_agent.protocol.agent_events import State
from desktop_agent.support.language import tr
from desktop_agent.ui.around.state_icon import ANSWER, LOOK, state_icon


class Tray(QSystemTrayIcon):
    """State as icon and in words, and a menu. Where there is no tray it shows nothing and does no harm.

    Signals: `toggle_wanted()` (show or hide the window), `pause_wanted()` (pause or go on), `stop_wanted()`,
    `settings_wanted()`, `logs_wanted()`, `licences_wanted()`, `quit_wanted()`.
    """

    toggle_wanted = Signal()
    pause_wanted = Signal()
    stop_wanted = Signal()
    settings_wanted = Signal()
    logs_wanted = Signal()
    licences_wanted = Signal()
    quit_wanted = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._told = ""
        self.menu = QMenu(window)  # the window's style sheet for menus is given to its children
        self.toggle = self._action("", self.toggle_wanted)
        self.pause = self._action("", self.pause_wanted)
        self.stop = self._action(tr("Stop"), self.stop_wanted)
        self.menu.addSeparator()
        self._action(tr("Settings"), self.settings_wanted)
        self._action(tr("Open the logs folder"), self.logs_wanted)
        self._action(tr("Licences"), self.licences_wanted)
        self.menu.addSeparator()
        self._action(tr("Quit"), self.quit_wanted)
        self.setContextMenu(self.menu)
        self.activated.connect(self._clicked)

    def _action(self, words: str, wanted: object) -> QAction:
        action = self.menu.addAction(words)
        action.triggered.connect(wanted)
        return action

    def _clicked(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason == QSystemTrayIcon.ActivationReason.Trigger:  # of a double click, too: the first of the two
            self.toggle_wanted.emit()

    @property
    def there(self) -> bool:
        """True while a tray shows the icon."""
        return self.isVisible() and QSystemTrayIcon.isSystemTrayAvailable()

    def show_state(self, state: State, working: bool, shown: bool, answered: bool = False) -> None:
        """Show the agent's state, or that it ended as `answered`; `shown` tells whether the window is to be seen."""
        self.toggle.setText(tr("Hide the window") if shown else tr("Show the window"))
        self.pause.setText(tr("Go on") if state == "paused" else tr("Pause"))
        self.pause.setEnabled(working)
        self.stop.setEnabled(working)
        told = ANSWER if state == "done" and answered else LOOK[state][2]
        if told == self._told:
            return
        self._told = told
        self.setIcon(state_icon(state))
        self.setToolTip(f"Desktop Agent – {tr(told)}")
