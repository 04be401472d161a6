"""The window that shows the endpoint's shell; people may type into it, too."""

from __future__ import annotations

import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from PySide6.QtCore import QRect, QSize, QSocketNotifier, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QCloseEvent,
    QColor,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QImage,
    QInputMethodEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from desktop_agent.extras.camera.endpoint.cell_painter import CellPainter, terminal_font
from desktop_agent.extras.camera.endpoint.key_sequences import key_sequence
from desktop_agent.extras.camera.endpoint.persistent_shell import PersistentShell
from desktop_agent.extras.camera.endpoint.terminal_screen import TerminalView
from desktop_agent.extras.camera.endpoint.terminal_theme import terminal_theme
from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.support.config import EndpointSettings
from desktop_agent.support.language import tr, tr_sentence

FRAME_SECONDS = 1 / 60
_PADDING = 8
_BAR_FONT = 13
_SMALLEST_COLUMNS, _SMALLEST_ROWS = 20, 4
_WHEEL_LINES, _NOTCH = 3, 120
_KEYS = {
    Qt.Key.Key_Return: "enter", Qt.Key.Key_Enter: "kp_enter", Qt.Key.Key_Tab: "tab", Qt.Key.Key_Backtab: "tab",
    Qt.Key.Key_Backspace: "backspace", Qt.Key.Key_Delete: "delete", Qt.Key.Key_Insert: "insert", Qt.Key.Key_Escape: "escape",
    Qt.Key.Key_Up: "up", Qt.Key.Key_Down: "down", Qt.Key.Key_Left: "left", Qt.Key.Key_Right: "right",
    Qt.Key.Key_Home: "home", Qt.Key.Key_End: "end", Qt.Key.Key_PageUp: "page_up", Qt.Key.Key_PageDown: "page_down",
    **{Qt.Key(Qt.Key.Key_F1 + number): f"f{number + 1}" for number in range(12)},
}  # fmt: skip
_CTRL, _SHIFT, _ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


@dataclass(frozen=True)
class BarWords:
    """What the bar says: who may type here and by which address, and what is unusual about the shell."""

    access: str
    unusual: str


class TerminalWindow(QWidget):
    """A shell's screen by cells, below a bar that says who types here.

    F9 shows the calibration page and the shell again, F11 the cells alone on the whole screen; the wheel and Shift+PageUp
    scroll back. Where the font's size is 0, columns and rows stay and the font is as large as the window lets it.
    """

    kind = "window"
    _news = Signal()
    """There is something new to show; from any thread."""

    def __init__(self, shell: PersistentShell, settings: EndpointSettings) -> None:
        super().__init__()
        self._shell, self._settings = shell, settings
        self._words = BarWords("", "")
        self._theme = terminal_theme(settings.theme)
        self._cells = self._painter_of(settings.font_size or 20)
        self._bar_font = QFont(self.font())
        self._bar_font.setPixelSize(_BAR_FONT)
        self._bar = QFontMetrics(self._bar_font).height() + 10
        self._view: TerminalView = shell.screen.view()
        self._back = self._turned = 0
        self._notice = ""
        self._told = False
        self._painted = 0.0
        self._page: QImage | None = None
        self._calibrating = False
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._refresh)
        self._news.connect(self._take_news)
        self.setWindowTitle(tr("Terminal"))
        self.setAccessibleName(tr("Terminal"))
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(self._size_of(_SMALLEST_COLUMNS, _SMALLEST_ROWS))
        self.resize(self._size_of(settings.columns, settings.rows))
        shell.changed = self.note_change

    def say(self, words: BarWords) -> None:
        """Put into the bar who may type here."""
        self._words = words
        self.update(0, 0, self.width(), self._bar)

    # ---- from other threads ----

    def note_change(self) -> None:
        """Show what is new as soon as a picture is due. From any thread."""
        if not self._told:
            self._told = True
            self._news.emit()

    def follow(self) -> None:
        """Something is typed: show the newest lines. From any thread."""
        if self._back:
            self._back = 0
            self.note_change()

    # ---- what is shown ----

    @property
    def calibrates(self) -> bool:
        """Is the calibration page shown?"""
        return self._calibrating

    def show_calibration(self, shown: bool) -> None:
        """Show the calibration page over all of the window, or the shell again."""
        self._calibrating, self._page = shown, None
        self.setCursor(Qt.CursorShape.BlankCursor if shown else Qt.CursorShape.ArrowCursor)
        self.update()

    def row_rect(self, row: int) -> QRect:
        """Where a row of the terminal is in the window."""
        left, top = self._origin()
        return QRect(
            left,
            top + row * self._cells.height,
            len(self._view.rows[0]) * self._cells.width,
            self._cells.height,
        )

    @property
    def is_current(self) -> bool:
        """Is all that is known of the shell's screen painted, or about to be?"""
        return not self._told

    @property
    def lines_back(self) -> int:
        """How far it is scrolled back."""
        return self._back

    def cell_size(self) -> QSize:
        return QSize(self._cells.width, self._cells.height)

    @Slot()
    def _take_news(self) -> None:
        if self._later.isActive():
            return
        left = FRAME_SECONDS - (time.monotonic() - self._painted)
        if left <= 0:
            self._refresh()
        else:
            self._later.start(max(1, round(left * 1_000)))

    @Slot()
    def _refresh(self) -> None:
        """Ask for those rows to be painted that differ from what is shown."""
        self._told = False  # before looking: what comes from here on is told again
        self._painted = time.monotonic()
        before, above = self._view, self._view.above
        view = self._shell.screen.view(self._back)
        if self._back and view.above > above:  # what is read stays in its place
            self._back = min(self._back + view.above - above, view.above)
            view = self._shell.screen.view(self._back)
        self._view = view
        if self._calibrating:
            return
        if len(view.rows) != len(before.rows) or len(view.rows[0]) != len(before.rows[0]):
            self.update()
            return
        changed = {y for y, row in enumerate(view.rows) if row is not before.rows[y]}
        if view.cursor != before.cursor:
            changed |= {place[1] for place in (before.cursor, view.cursor) if place}
        for y in changed:
            self.update(self.row_rect(y))
        self.update(0, 0, self.width(), self._bar)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._calibrating:
            self._paint_page(painter)
            return
        painter.fillRect(event.rect(), QColor(self._theme.colours.background))
        left, top = self._origin()
        height = self._cells.height
        for y, row in enumerate(self._view.rows):
            at = top + y * height
            if event.region().intersects(QRect(0, at, self.width(), height)):
                self._cells.paint(painter, left, at, row)
                if self._view.cursor and self._view.cursor[1] == y and self._shell.alive:
                    self._cells.paint_cursor(painter, left, at, row, self._view.cursor[0])
        if event.rect().top() < self._bar and (not self.isFullScreen() or self._bar_notice()):
            self._paint_bar(painter)  # a notice is shown on the whole screen, too

    def _paint_bar(self, painter: QPainter) -> None:
        """Who types here, and the state; a notice in place of both where there is one."""
        colours = self._theme.colours
        area = QRect(0, 0, self.width(), self._bar)
        painter.fillRect(area, QColor(colours.bar))
        painter.setFont(self._bar_font)
        inner = area.adjusted(_PADDING + 4, 0, -_PADDING - 4, 0)
        right, left = self._state(), self._words.access
        notice = self._bar_notice()
        metrics = QFontMetrics(self._bar_font)
        painter.setPen(QColor(colours.bar_text))
        room = inner.width()
        if metrics.horizontalAdvance(left) + metrics.horizontalAdvance(right) + 24 <= room or notice:
            painter.drawText(inner, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, right)
            room -= metrics.horizontalAdvance(right) + 24
        painter.setPen(QColor(colours.bar_notice if notice else colours.bar_text))
        shown = metrics.elidedText(notice or left, Qt.TextElideMode.ElideRight, max(room, 0))
        painter.drawText(inner, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)

    def _state(self) -> str:
        view = self._view
        size = f"{len(view.rows[0])} × {len(view.rows)}"
        return f"{self._words.unusual}  ·  {size}" if self._words.unusual else size

    def _bar_notice(self) -> str:
        if self._notice:
            return self._notice
        if not self._shell.alive and self._shell.exit_code is not None:
            return tr("The shell has ended (exit code {code}). Enter starts another.").format(
                code=self._shell.exit_code
            )
        if self._back:
            return tr("{n} lines back. Any key returns to the end.").format(n=self._back)
        return ""

    def _paint_page(self, painter: QPainter) -> None:
        """The calibration page in the screen's own pixels, or words where this version has none."""
        scale = self.devicePixelRatioF()
        width, height = round(self.width() * scale), round(self.height() * scale)
        why = ""
        if self._page is None:
            self._page, why = _calibration_page(width, height)
        if self._page is not None:
            self._page.setDevicePixelRatio(scale)
            painter.drawImage(0, 0, self._page)
            return
        painter.fillRect(self.rect(), QColor("#ffffff"))
        painter.setPen(QColor("#000000"))
        painter.drawText(
            self.rect(),
            Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap,
            f"{why}\n{tr('F9 shows the shell again.')}",
        )

    # ---- sizes ----

    def _painter_of(self, pixels: int) -> CellPainter:
        return CellPainter(terminal_font(self._settings.font, pixels), self._theme)

    def _bar_height(self) -> int:
        return 0 if self.isFullScreen() else self._bar

    def _origin(self) -> tuple[int, int]:
        """The corner of the first cell; where columns and rows are fixed, they stand in the middle."""
        left, top = _PADDING, self._bar_height() + _PADDING
        if not self._settings.font_size:
            rows = self._view.rows
            left += max(0, (self.width() - 2 * _PADDING - len(rows[0]) * self._cells.width) // 2)
            top += max(0, (self.height() - top - _PADDING - len(rows) * self._cells.height) // 2)
        return left, top

    def _size_of(self, columns: int, rows: int) -> QSize:
        width = columns * self._cells.width + 2 * _PADDING
        return QSize(width, rows * self._cells.height + 2 * _PADDING + self._bar)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._page = None
        width = self.width() - 2 * _PADDING
        height = self.height() - self._bar_height() - 2 * _PADDING
        if self._settings.font_size:
            self._shell.resize(width // self._cells.width, height // self._cells.height)
        else:
            self._fit_font(width, height)
        self._view = self._shell.screen.view(self._back)
        self.update()
        super().resizeEvent(event)

    def _fit_font(self, width: int, height: int) -> None:
        """Make the font as large as columns and rows have room for."""
        pixels = 8
        self._cells = self._painter_of(pixels)
        while pixels < 90:
            larger = self._painter_of(pixels + 1)
            if larger.width * self._settings.columns > width or larger.height * self._settings.rows > height:
                break
            pixels, self._cells = pixels + 1, larger

    # ---- what people do ----

    def focusNextPrevChild(self, next: bool) -> bool:
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, held = Qt.Key(event.key()), event.modifiers()
        if self._own_key(key, held):
            return
        self._notice = ""
        if not self._shell.alive:
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._carefully(self._shell.start)
            return
        name = _KEYS.get(key)
        if name is not None:
            modifiers = [
                word for word, bit in (("ctrl", _CTRL), ("alt", _ALT), ("shift", _SHIFT)) if held & bit
            ]
            if key == Qt.Key.Key_Backtab:
                modifiers = ["shift"]
            self._carefully(lambda: self._shell.press(key_sequence(name, modifiers)))
        elif text := event.text():
            self._carefully(lambda: self._shell.type(f"\x1b{text}" if held & _ALT else text))
        elif held & _CTRL and key == Qt.Key.Key_Space:
            self._carefully(lambda: self._shell.type("\0"))
        else:
            return
        self.follow()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """What is put together of several keys."""
        if text := event.commitString():
            self._carefully(lambda: self._shell.type(text))
            self.follow()
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._turned += event.angleDelta().y()
        notches = int(self._turned / _NOTCH)
        self._turned -= notches * _NOTCH
        if not notches:
            return
        if self._shell.screen.full_screen:  # a pager's lines are not above; it scrolls itself
            arrow = key_sequence("up" if notches > 0 else "down")
            for _ in range(abs(notches) * _WHEEL_LINES):
                self._carefully(lambda: self._shell.press(arrow))
        else:
            self.scroll_lines(notches * _WHEEL_LINES)

    def scroll_lines(self, lines: int) -> None:
        """Look so many lines further back (down where negative)."""
        self._back = max(0, min(self._back + lines, self._view.above))
        self._refresh()

    def closeEvent(self, event: QCloseEvent) -> None:
        self._later.stop()
        self._shell.changed = lambda: None
        super().closeEvent(event)

    def _own_key(self, key: Qt.Key, held: Qt.KeyboardModifier) -> bool:
        """Carry out a key that is this window's; False where it is none."""
        page = len(self._view.rows) - 1
        if key == Qt.Key.Key_F9 or (self._calibrating and key == Qt.Key.Key_Escape):
            self.show_calibration(not self._calibrating)
        elif key == Qt.Key.Key_F11:
            self.showNormal() if self.isFullScreen() else self.showFullScreen()
        elif self._calibrating:
            pass
        elif key == Qt.Key.Key_PageUp and held == _SHIFT:
            self.scroll_lines(page)
        elif key == Qt.Key.Key_PageDown and held == _SHIFT:
            self.scroll_lines(-page)
        elif (key == Qt.Key.Key_V and held == _CTRL | _SHIFT) or (
            key == Qt.Key.Key_Insert and held == _SHIFT
        ):
            text = QGuiApplication.clipboard().text()
            self._carefully(lambda: self._shell.paste(text))
            self.follow()
        else:
            return False
        return True

    def _carefully(self, act: Callable[[], object]) -> None:
        """Do it; what is refused stands in the bar."""
        try:
            act()
        except (DesktopAgentError, OSError) as error:
            self._notice = tr_sentence(str(error))
            self.update(0, 0, self.width(), self._bar)


@contextmanager
def waking_for_signals() -> Iterator[None]:
    """Let Python see a signal while Qt waits for events; from the main thread."""
    read, written = socket.socketpair()
    for each in (read, written):
        each.setblocking(False)
    before = signal.set_wakeup_fd(written.fileno())
    notifier = QSocketNotifier(read.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(lambda *_: read.recv(64))
    try:
        yield
    finally:
        notifier.setEnabled(False)
        signal.set_wakeup_fd(before)
        read.close()
        written.close()


def _calibration_page(width: int, height: int) -> tuple[QImage | None, str]:
    """The page in so many pixels, or why there is none."""
    try:
        from desktop_agent.extras.camera.filming.calibration_page import (
            draw,
        )  # needs OpenCV, which is an extra

        pixels = draw(width, height)
    except ImportError:
        return None, tr("There is no calibration page here: what draws it is not installed.")
    except DesktopAgentError as error:
        return None, tr_sentence(str(error))
    return QImage(pixels, width, height, width * 4, QImage.Format.Format_RGB32).copy(), ""
