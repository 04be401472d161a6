"""Sees to it that a question is in the user's sight: brings the window there without the focus, or says that it cannot."""

from __future__ import annotations

from contextlib import suppress
from typing import Literal, TypeAlias

from PySide6.QtCore import QElapsedTimer, QObject, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Point
from desktop_agent.ui.shell.device_pixels import to_pixels
from desktop_agent.ui.shell.frameless import DockFrame
from desktop_agent.ui.shell.windows.taskbar import on_windows
from desktop_agent.ui.shell.x11.own_windows import on_x11

Attention: TypeAlias = Literal["none", "flash", "sound", "both"]

LOOK_MS = 200
"""Between two looks whether the question is in sight."""
PATIENCE_MS = 5_000
"""A question that cannot be brought to sight for so long is refused."""
REMIND_MS = 30_000
"""A question that was in sight and is not any more is brought back after so long."""
FLASH_MS = 20_000
SHOW_WITHIN = 15.0
"""Seconds within which the window promises to show a question, or to say why it cannot."""
_ENOUGH = 0.6
"""Of the points of the card that are looked at: what covers a corner does not hide it."""
_GRID = (4, 6)
HIDDEN = "the window could not be brought to sight (hidden, covered, or the screen is gone)"


class CardSight(QObject):
    """Watches whether a card with a question is in sight, and brings its window there.

    Once it was in sight it may be covered or minimised again, which is the user's own doing: it is brought back
    after REMIND_MS, and never refused for that. Signals: `shown(id)` once for a question, when it is in sight; `hidden(id, why)`
    when it cannot be brought there.
    """

    shown = Signal(str)
    hidden = Signal(str, str)

    def __init__(self, window: DockFrame, card: QWidget, attention: Attention = "flash") -> None:
        super().__init__(window)
        self._window, self._card, self.attention = window, card, attention
        self._id = ""
        self._seen = self._brought = self._closed = False
        self._lost = QElapsedTimer()
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self._look)

    def watch(self, id: str) -> None:
        """Watch over the question of this id from now on; "" when none is asked."""
        if id == self._id or self._closed:
            return
        self._id, self._seen = id, False
        if not id:
            self._timer.stop()
            self._let_go()
            return
        self._lost.start()
        self._call_attention()
        self._timer.start()

    def close(self) -> None:
        """Watch over nothing more: a window that was closed is not shown again."""
        self.watch("")
        self._closed = True

    def _call_attention(self) -> None:
        if self.attention in ("flash", "both"):
            QApplication.alert(self._window, FLASH_MS)
        if self.attention in ("sound", "both"):
            QApplication.beep()

    def _look(self) -> None:
        if self._in_sight():
            self._lost.restart()
            if not self._seen:
                self._seen = True
                self.shown.emit(self._id)
        elif not self._seen:
            self._bring()
            if self._lost.hasExpired(PATIENCE_MS):
                self._timer.stop()
                self.hidden.emit(self._id, HIDDEN)
        elif self._lost.hasExpired(REMIND_MS):
            self._lost.restart()
            self._call_attention()
            self._bring()

    def _in_sight(self) -> bool:
        window = self._window
        if not self._card.isVisible() or window.isMinimized() or not window.isVisible():
            return False
        handle = window.windowHandle()
        if handle is None or not handle.isExposed():
            return False
        points = self._points()
        try:
            shown = self._shown_at(points)
        except TargetError:
            return False
        return sum(shown) >= _ENOUGH * len(shown)

    def _points(self) -> list[Point]:
        """Points all over the card, in screen pixels."""
        card = self._card
        across, down = _GRID
        screen = card.screen()
        scale, origin = screen.devicePixelRatio(), screen.geometry().topLeft()
        places = (
            QPoint(
                card.width() * (2 * column + 1) // (2 * across), card.height() * (2 * row + 1) // (2 * down)
            )
            for column in range(across)
            for row in range(down)
        )
        pixels = (to_pixels(QRect(card.mapToGlobal(at), at), origin, scale) for at in places)
        return [Point(each.x, each.y) for each in pixels]

    def _shown_at(self, points: list[Point]) -> list[bool]:
        if on_x11():
            from desktop_agent.ui.shell.x11.own_windows import ours_at

            return ours_at(points)
        if on_windows():
            from desktop_agent.ui.shell.windows.taskbar import is_at

            return is_at(int(self._window.winId()), points)
        return [any(each.geometry().contains(p.x, p.y) for each in QGuiApplication.screens()) for p in points]

    def _bring(self) -> None:
        """Show the window where it can be seen, above all others and without the focus."""
        window = self._window
        if window.isMinimized():
            window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.settle_here()
        window.show_quietly()
        if on_x11():
            from desktop_agent.ui.shell.x11.own_windows import bring_here

            with suppress(TargetError):  # the next look finds it hidden
                bring_here(int(window.winId()), self._points())
                self._brought = True
        window.raise_()

    def _let_go(self) -> None:
        if self._brought:
            from desktop_agent.ui.shell.x11.own_windows import let_go

            with suppress(TargetError):
                let_go(int(self._window.winId()))
        self._brought = False
