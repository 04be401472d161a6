"""The frameless window: rounded shape, moving, snapping, resizing, and whether it accepts the keyboard focus."""

from __future__ import annotations

from math import sqrt

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QGuiApplication,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QRegion,
    QResizeEvent,
    QScreen,
)
from PySide6.QtWidgets import QWidget

from desktop_agent.ui.shell.dock import (
    LOWEST,
    NARROWEST,
    WIDEST,
    WIDTH,
    Side,
    WindowIni,
    docked,
    fit_into,
    snapped,
)
from desktop_agent.ui.shell.windows.taskbar import window_flags
from desktop_agent.ui.shell.x11.own_windows import composited, offer_to_take_focus
from desktop_agent.ui.widgets.theme import Theme

ROUND = 12
HANDLE = 56
GRIP = 5
NESTED = 10
"""Passes until the outermost layout knows; six lie in one another, and a scroll bar that appears adds two."""


class Grip(QWidget):
    """An edge to resize the window by.

    Signals: `dragged(dx, dy)` in pixels since the last one; `let_go()` when the button is released.
    """

    dragged = Signal(int, int)
    let_go = Signal()

    def __init__(self, cursor: Qt.CursorShape, parent: QWidget) -> None:
        super().__init__(parent)
        self.setCursor(cursor)
        self._last = QPoint()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._last = event.globalPosition().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        now = event.globalPosition().toPoint()
        delta, self._last = now - self._last, now
        self.dragged.emit(delta.x(), delta.y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.let_go.emit()


class DockFrame(QWidget):
    """A frameless window: always on top, docked at an edge, moved by its header, its geometry saved.

    Signals: `focus_left()` when another window becomes active; `painted()` once, after the first paint.
    """

    focus_left = Signal()
    painted = Signal()

    def __init__(self, theme: Theme, settings: WindowIni, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._settings = theme, settings
        self.side: Side = "right"
        self.snaps = True
        """Dragged to an edge, it docks there."""
        self._grab: QPoint | None = None
        self._painted = False
        self._composited = composited()
        self.setWindowFlags(window_flags())
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, self._composited)
        self.setMinimumSize(NARROWEST, LOWEST)
        self._left = Grip(Qt.CursorShape.SizeHorCursor, self)
        self._right = Grip(Qt.CursorShape.SizeHorCursor, self)
        self._bottom = Grip(Qt.CursorShape.SizeVerCursor, self)
        self._left.dragged.connect(self._drag_left)
        self._right.dragged.connect(self._drag_right)
        self._bottom.dragged.connect(self._drag_bottom)
        self.grips = (self._left, self._right, self._bottom)
        for grip in self.grips:
            grip.let_go.connect(self._keep)
        self._take_place()

    # ---- where it stands ------------------------------------------------------------------

    def room(self) -> QRect:
        """The available geometry of the screen the window is on (without panels and task bars)."""
        return self.screen().availableGeometry()

    def dock(self, side: Side) -> None:
        """Move to an edge of the screen and save that."""
        self.side = side
        self.setGeometry(docked(self.room(), self.width(), side))
        self._keep()

    def _take_place(self) -> None:
        """Use the saved geometry, or dock at the right edge when there is none."""
        self._watch_screens()
        known = self._settings.place()
        if known is None:
            self.setGeometry(docked(self.room(), WIDTH, "right"))
            return
        frame, self.side = known
        self._settle(frame)

    def _settle(self, frame: QRect) -> None:
        """Move to `frame`, or as near to it as the current screens allow."""
        screen = QGuiApplication.screenAt(frame.center()) or QGuiApplication.primaryScreen()
        room = screen.availableGeometry()
        floating = self.side == "none"
        self.setGeometry(fit_into(frame, room) if floating else docked(room, frame.width(), self.side))

    def settle_here(self) -> None:
        """Move, as little as possible, to where all of it is on a screen."""
        if self.geometry() != fit_into(self.geometry(), self.room()):
            self._settle(self.geometry())

    def _watch_screens(self) -> None:
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)  # noqa: S101 - a widget cannot exist without it
        app.screenAdded.connect(self._watch_screen)
        app.screenRemoved.connect(self._screens_changed)
        for screen in app.screens():
            self._watch_screen(screen)

    def _watch_screen(self, screen: QScreen) -> None:
        screen.availableGeometryChanged.connect(self._screens_changed)

    def _screens_changed(self) -> None:
        self._settle(self.geometry())

    def _keep(self) -> None:
        self._settings.save_place(self.geometry(), self.side)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and event.position().y() < HANDLE:
            self._grab = event.globalPosition().toPoint() - self.pos()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._grab is not None:
            self.move(event.globalPosition().toPoint() - self._grab)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._grab is None:
            return
        self._grab = None
        room = self.room()
        snap = self.snaps
        frame, self.side = (
            snapped(self.geometry(), room) if snap else (fit_into(self.geometry(), room), "none")
        )
        self.setGeometry(frame)
        self._keep()

    @property
    def dragged(self) -> bool:
        """True while the user holds the window by its header."""
        return self._grab is not None

    def _drag_left(self, dx: int, _dy: int) -> None:
        width = max(NARROWEST, min(WIDEST, self.width() - dx))
        right = self.x() + self.width()
        self.setGeometry(right - width, self.y(), width, self.height())

    def _drag_right(self, dx: int, _dy: int) -> None:
        self.resize(max(NARROWEST, min(WIDEST, self.width() + dx)), self.height())

    def _drag_bottom(self, _dx: int, dy: int) -> None:
        self.resize(self.width(), max(LOWEST, self.height() + dy))

    # ---- the keyboard ---------------------------------------------------------------------

    def set_quiet(self, quiet: bool) -> None:
        """While `quiet` the window accepts clicks but never the keyboard focus."""
        handle = self.windowHandle()
        if handle is not None and bool(handle.flags() & Qt.WindowType.WindowDoesNotAcceptFocus) != quiet:
            handle.setFlag(Qt.WindowType.WindowDoesNotAcceptFocus, quiet)
            offer_to_take_focus(int(self.winId()), not quiet)

    def show_quietly(self) -> None:
        """Show without becoming the active window."""
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.show()

    def take_keyboard(self) -> None:
        """Accept the keyboard focus again and ask the window manager to activate this window."""
        self.set_quiet(False)
        handle = self.windowHandle()
        if handle is not None and not self.isActiveWindow():
            handle.requestActivate()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.ActivationChange and not self.isActiveWindow():
            self.focus_left.emit()
        super().changeEvent(event)

    # ---- the look -------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Settles all layouts before it paints.

        When a part has grown, Qt tells its parent, that one's parent and so on, each in a pass of its own. A painting
        between two passes would show the part pressed together, or cut off.
        """
        if event.type() == QEvent.Type.UpdateRequest:
            for _ in range(NESTED):
                QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        width, height = self.width(), self.height()
        self._left.setGeometry(0, HANDLE, GRIP, height - HANDLE)
        self._right.setGeometry(width - GRIP, HANDLE, GRIP, height - HANDLE)
        self._bottom.setGeometry(GRIP, height - GRIP, width - 2 * GRIP, GRIP)
        for grip in self.grips:
            grip.raise_()
        if not self._composited:
            self.setMask(self._outline())
        super().resizeEvent(event)

    def _outline(self) -> QRegion:
        """The window's shape mask with rounded corners, for screens without a compositor."""
        width, height = self.width(), self.height()
        outline = QRegion(0, ROUND, width, height - 2 * ROUND)
        for y in range(ROUND):
            inset = round(ROUND - sqrt(ROUND**2 - (ROUND - y - 0.5) ** 2))
            for row in (y, height - 1 - y):
                outline += QRegion(inset, row, width - 2 * inset, 1)
        return outline

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._theme.color("line"), 1))
        painter.setBrush(self._theme.color("window"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), ROUND, ROUND)
        painter.end()
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self.painted.emit)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._keep()
        super().closeEvent(event)
