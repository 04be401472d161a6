"""The doctor's window, in a process of its own: reports what arrives in it, and ends with its standard input."""

from __future__ import annotations

import os
import sys
import threading

import msgspec
from PySide6.QtCore import QEvent, QObject, Qt, Signal, qVersion
from PySide6.QtGui import QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop_agent.doctor.deep.fixture import BACKGROUND, Control, Monitor, WindowReport
from desktop_agent.support.operating_system import WINDOWS
from desktop_agent.ui.run_window import make_app
from desktop_agent.ui.shell.device_pixels import screen_pixels, widget_pixels

TITLE = "Desktop Agent: a test of this machine"
SAYING = "The doctor works in this window. Please leave mouse and keyboard alone for a moment."


def run_qt() -> int:
    """Load Qt and all of the window's code, and print Qt's version."""
    import desktop_agent.app  # noqa: F401  # whether it loads is the question

    QApplication([])
    sys.stdout.write(f"{qVersion()}\n")
    return 0


def run_window() -> int:
    """Show the window until standard input ends, and answer each line of that with a report."""
    app = make_app()
    window = TestWindow()
    window.show()
    window.raise_()
    window.activateWindow()
    asked = _Asked()
    asked.line.connect(window.answer, Qt.ConnectionType.QueuedConnection)
    asked.over.connect(app.quit, Qt.ConnectionType.QueuedConnection)
    threading.Thread(target=asked.read, name="questions", daemon=True).start()
    return app.exec()


class _Asked(QObject):
    """Reads standard input. Signals: `line(str)`, `over()`."""

    line = Signal(str)
    over = Signal()

    def read(self) -> None:
        for line in sys.stdin:
            self.line.emit(line.strip())
        self.over.emit()


class TestWindow(QWidget):
    """A window with a few controls that notes all input that arrives."""

    def __init__(self) -> None:
        super().__init__(None, Qt.WindowType.Window | Qt.WindowType.WindowStaysOnTopHint)
        self.setWindowTitle(TITLE)
        red, green, blue = BACKGROUND
        self.setStyleSheet(f"TestWindow {{ background: rgb({red}, {green}, {blue}) }}")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.text, choice, check = QPlainTextEdit(), QComboBox(), QCheckBox("Check me")
        self.text.setAccessibleName("Typed text")
        choice.setAccessibleName("Choose one")
        check.setSizePolicy(
            QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed
        )  # its place is told without empty room
        self.controls: dict[QWidget, tuple[str, ...]] = {
            QLabel(SAYING, wordWrap=True): ("label",),
            self.text: ("entry", "text", "document text"),
            check: ("check box",),
            choice: ("combo box",),
            QPushButton("Press me"): ("push button",),
        }
        self._held: dict[str, None] = {}
        self._presses = self._escapes = self._questions = 0
        self._excluded = False
        column = QVBoxLayout(self)
        column.setContentsMargins(40, 40, 40, 40)
        for control in self.controls:
            column.addWidget(control)
        self.resize(420, 380)
        self.text.setFocus()
        for watched in (self, *self.controls, self.text.viewport()):
            watched.installEventFilter(self)

    def answer(self, question: str) -> None:
        """Carry out a line (`clear`, `exclude`, `activate`, or empty) and print a report."""
        if question == "clear":
            self.text.clear()
            self._presses = self._escapes = 0
        elif question == "exclude":
            self._excluded = _exclude(int(self.winId()))
        elif question == "activate":
            self.raise_()
            self.activateWindow()
            self.text.setFocus()
        self._questions += 1
        # Bytes: Windows would write text in its code page, which has not every letter that was typed.
        sys.stdout.buffer.write(msgspec.json.encode(self.report()) + b"\n")
        sys.stdout.buffer.flush()

    def report(self) -> WindowReport:
        """The report of the window as it is now."""
        names = (
            (each, each.accessibleName() or each.property("text"), roles)
            for each, roles in self.controls.items()
        )
        return WindowReport(
            bounds=widget_pixels(self),
            controls=tuple(Control(name, roles, widget_pixels(each)) for each, name, roles in names),
            monitors=tuple(
                Monitor(screen_pixels(each), each.devicePixelRatio()) for each in QApplication.screens()
            ),
            text=self.text.toPlainText(),
            held=tuple(self._held),
            presses=self._presses,
            escapes=self._escapes,
            active=self.isActiveWindow(),
            excluded=self._excluded,
            pid=os.getpid(),
            number=self._questions,
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if isinstance(event, QKeyEvent) and watched is self.text and not event.isAutoRepeat():
            if not event.text():  # a typed character is no key: on Windows its release has no name
                name = QKeySequence(event.key()).toString()
                self._note(name, kind, QEvent.Type.KeyPress, QEvent.Type.KeyRelease)
            self._escapes += kind == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Escape
        if isinstance(event, QMouseEvent):
            pressed = QEvent.Type.MouseButtonPress if kind == QEvent.Type.MouseButtonDblClick else kind
            name = str(event.button().name)
            self._note(name, pressed, QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease)
        return super().eventFilter(watched, event)

    def _note(self, name: str, kind: QEvent.Type, press: QEvent.Type, release: QEvent.Type) -> None:
        if kind == press:
            self._held[name] = None
            self._presses += 1
        elif kind == release:
            self._held.pop(name, None)


def _exclude(window: int) -> bool:
    """Take the window out of captures; True where the system can do that."""
    if not WINDOWS:
        return False
    from desktop_agent.platforms.windows.capture_exclusion import DisplayAffinity

    affinity = DisplayAffinity()
    return affinity.exclude(window) and affinity.excluded(window)
