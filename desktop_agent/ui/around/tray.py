"""The icon in the tray: shows the state by colour and sign, and offers what one wants without the window."""

from __future__ import annotations

from typing import Literal, TypeAlias

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QAction, QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QMenu, QSystemTrayIcon, QWidget

from desktop_agent.protocol.agent_events import State
from desktop_agent.support.language import later, tr
from desktop_agent.ui.widgets.theme import LIGHT

Sign: TypeAlias = Literal["ring", "play", "bars", "call", "square", "tick", "cross"]
LOOK: dict[State, tuple[str, Sign, str]] = {
    "idle": (LIGHT.accent, "ring", later("ready")),
    "planning": (LIGHT.ok, "play", later("working")),
    "executing": (LIGHT.ok, "play", later("working")),
    "waiting_for_user": (LIGHT.warn, "call", later("needs you")),
    "paused": (LIGHT.warn, "bars", later("paused")),
    "stopped": (LIGHT.stop, "square", later("stopped")),
    "done": (LIGHT.ok, "tick", later("done")),
    "error": (LIGHT.stop, "cross", later("something failed")),
}
"""Colour, sign and word of each state. The signs are white: at 4.5:1 or more on every one of the colours."""
ANSWER = later("answered")
"""The word where what is done was only an answer."""
SIZES = (16, 22, 24, 32, 48, 64)
"""Pixels that task bars and panels ask for."""


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


def state_icon(state: State) -> QIcon:
    """The icon of a state in every size."""
    icon = QIcon()
    for size in SIZES:
        icon.addPixmap(_drawn(*LOOK[state][:2], size))
    return icon


def _drawn(colour: str, sign: Sign, size: int) -> QPixmap:
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(size / 16, size / 16)
    # The white edge keeps the disc apart from a panel of its own colour.
    painter.setPen(QPen(QColor("white"), 1))
    painter.setBrush(QColor(colour))
    painter.drawEllipse(QRectF(0.5, 0.5, 15, 15))
    _draw_sign(painter, sign)
    painter.end()
    return pixmap


def _draw_sign(painter: QPainter, sign: Sign) -> None:
    """Draw a sign in the middle of 16 × 16."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor("white"))
    if sign == "play":
        painter.drawPolygon(QPolygonF([QPointF(6, 4.5), QPointF(12, 8), QPointF(6, 11.5)]))
    elif sign == "square":
        painter.drawRect(QRectF(5, 5, 6, 6))
    elif sign == "bars":
        painter.drawRects([QRectF(5, 4.5, 2, 7), QRectF(9, 4.5, 2, 7)])
    elif sign == "call":
        painter.drawRects([QRectF(7, 3.5, 2, 5.5), QRectF(7, 10.5, 2, 2)])
    else:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor("white"), 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawPath(_outline(sign))


def _outline(sign: Sign) -> QPainterPath:
    path = QPainterPath()
    if sign == "ring":
        path.addEllipse(QPointF(8, 8), 3.2, 3.2)
    elif sign == "tick":
        path.addPolygon(QPolygonF([QPointF(4.6, 8.3), QPointF(7, 10.8), QPointF(11.4, 5.6)]))
    else:
        for start, end in (((5.3, 5.3), (10.7, 10.7)), ((10.7, 5.3), (5.3, 10.7))):
            path.moveTo(*start)
            path.lineTo(*end)
    return path
