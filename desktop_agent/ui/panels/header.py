"""The header: name and state, the Pause and Stop buttons, the settings menu and the close button."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QActionGroup, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QVBoxLayout, QWidget

from desktop_agent.protocol.agent_events import State
from desktop_agent.support.language import later, tr
from desktop_agent.ui.widgets.buttons import Button, open_menu
from desktop_agent.ui.widgets.primitives import Icon, Pill
from desktop_agent.ui.widgets.theme import MODES, Mode, Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText

# Word, colour and tint of each state.
LOOKS: dict[State, tuple[str, str, str]] = {
    "idle": (later("READY"), "soft", "quiet"),
    "planning": (later("RUNNING"), "ok", "ok_tint"),
    "executing": (later("RUNNING"), "ok", "ok_tint"),
    "waiting_for_user": (later("NEEDS YOU"), "warn", "warn_tint"),
    "paused": (later("PAUSED"), "warn", "warn_tint"),
    "stopped": (later("STOPPED"), "stop", "stop_tint"),
    "done": (later("DONE"), "ok", "ok_tint"),
    "error": (later("ERROR"), "stop", "stop_tint"),
}
ANSWERED = (later("ANSWERED"), "ok", "ok_tint")
# Who reaches for Pause may have paused it by moving the mouse: that click must not resume.
REST_MS = 1_200
CAP = "Esc"
HEIGHT, MARK = 56, 28
CLOSE, STOP_AND_CLOSE = later("Close Desktop Agent"), later("Stop, and close Desktop Agent")
_MODE_WORDS: dict[Mode, str] = {
    "system": later("System colours"),
    "light": later("Light colours"),
    "dark": later("Dark colours"),
    "contrast": later("High contrast"),
}
_DOCKS = {"left": later("Dock at the left edge"), "right": later("Dock at the right edge")}


class Header(QWidget):
    """Shows the state, and buttons to stop, pause, configure and close.

    Every button keeps its place in every state, and no two share one: a click on Stop in the moment a run
    ends hits an empty place, not the close button. The settings button lies between them and is disabled
    during a run: its menu would grab the pointer from the agent, and a click that just misses Stop does
    nothing.

    Signals: `stop_pressed()`, `pause_pressed()`, `resume_pressed()`, `theme_chosen(mode)`,
    `dock_chosen(side)` with "left" or "right", `close_pressed()`.
    """

    stop_pressed = Signal()
    pause_pressed = Signal()
    resume_pressed = Signal()
    theme_chosen = Signal(str)
    dock_chosen = Signal(str)
    close_pressed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._paused = False
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._rested)
        self.setMinimumHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.pill = Pill(theme)
        self.pause = Button(theme, kind="icon", icon="pause", name=tr("Pause"))
        self.pause.tone = "ink"
        self.stop = Button(theme, tr("Stop"), kind="stop", cap=CAP, name=f"{tr('Stop')} ({CAP})")
        self.menu_button = Button(theme, kind="icon", icon="settings", name=tr("Settings"))
        self.close_button = Button(theme, kind="icon", icon="close", name=tr(CLOSE))
        self.menu = self._make_menu()
        self._lay_out()
        self.pause.clicked.connect(self._pause_clicked)
        self.stop.clicked.connect(self._stop_clicked)
        self.menu_button.clicked.connect(self.show_menu)
        self.close_button.clicked.connect(self.close_pressed)

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(13, 6, 11, 7)
        row.setSpacing(4)
        row.addWidget(Icon(self._theme, "mark", "accent", MARK))
        row.addSpacing(4)
        row.addLayout(self._titles(), 1)
        for part in (self.pause, self.stop):
            row.addWidget(part)
        row.addSpacing(4)
        for part in (self.menu_button, self.close_button):
            row.addWidget(part)
        # Their places are kept while they are not there.
        for part in (self.pause, self.stop):
            policy = part.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            part.setSizePolicy(policy)

    def _titles(self) -> QVBoxLayout:
        """Build the column with the name and, under it, the state."""
        column = QVBoxLayout()
        column.setSpacing(1)
        column.addStretch(1)
        column.addWidget(WrappedText(self._theme, "Desktop Agent", role="name", lines=1))
        column.addWidget(self.pill, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        return column

    def _make_menu(self) -> QMenu:
        menu = QMenu(self)
        self._below_windows = menu.addSeparator()
        group = QActionGroup(menu)
        for mode in MODES:
            action = menu.addAction(tr(_MODE_WORDS[mode]))
            action.setCheckable(True)
            action.setData(mode)
            action.setChecked(mode == self._theme.mode)
            group.addAction(action)
        group.triggered.connect(lambda action: self.theme_chosen.emit(action.data()))
        menu.addSeparator()
        for side, words in _DOCKS.items():
            action = menu.addAction(tr(words))
            action.triggered.connect(lambda _checked=False, side=side: self.dock_chosen.emit(side))
        menu.addSeparator()
        menu.addAction(tr(CLOSE), self.close_pressed.emit)
        return menu

    def add_to_menu(self, words: str, chosen: Callable[[], object]) -> QAction:
        """Put one more entry into the menu, before the one that closes."""
        last = self.menu.actions()[-1]
        action = QAction(words, self.menu)
        action.triggered.connect(lambda _checked=False: chosen())
        self.menu.insertAction(last, action)
        self.menu.insertSeparator(last)
        return action

    def add_window(self, words: str, show: Callable[[], object]) -> QAction:
        """Put one more entry into the menu, among those that open windows, at its top."""
        action = QAction(words, self.menu)
        action.triggered.connect(lambda _checked=False: show())
        self.menu.insertAction(self._below_windows, action)
        return action

    def show_menu(self) -> None:
        """Open the settings menu under its button."""
        open_menu(self.menu, self.menu_button)

    def show_state(self, state: State, working: bool, answered: bool = False) -> None:
        """Show the state, or that it ended as `answered`; Pause and Stop are visible while `working`.

        After a pause its button rests for REST_MS.
        """
        word, tone, tint = look_of(state, answered)
        self.pill.show_state(tr(word), tone, tint)
        if (state == "paused") != self._paused:
            self._paused = not self._paused
            self.pause.setEnabled(not self._paused)
            self._rest.start()
        icon, name = ("play", tr("Resume")) if self._paused else ("pause", tr("Pause"))
        self.pause.set_icon(icon, name)
        self.pause.setVisible(working)
        self.stop.setVisible(working)
        self.stop.setEnabled(True)
        self.close_button.set_icon("close", tr(STOP_AND_CLOSE if working else CLOSE))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the key cap of Stop where the width does not suffice for it and the name."""
        self.stop.set_cap(CAP)
        if self.sizeHint().width() > self.width():
            self.stop.set_cap("")
        super().resizeEvent(event)

    def _rested(self) -> None:
        self.pause.setEnabled(True)

    def _pause_clicked(self) -> None:
        (self.resume_pressed if self._paused else self.pause_pressed).emit()

    def _stop_clicked(self) -> None:
        self.stop_pressed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(0, self.height() - 1, self.width(), 1, self._theme.color("line"))
        painter.end()


def look_of(state: State, answered: bool) -> tuple[str, str, str]:
    """Word, colour and tint of a state, of a run that was only answered its own."""
    return ANSWERED if state == "done" and answered else LOOKS[state]
