"""A small Qt application that changes when it is told to, and tells what its mouse and keyboard got.

Lines of JSON: commands come on stdin, news goes to stdout. Times are milliseconds of the monotonic
clock, which is also the X server's.
"""

from __future__ import annotations

import json
import os
import sys
import time

from PySide6.QtCore import QEvent, QObject, QSocketNotifier, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QWidget

BUTTON = (40, 40, 120, 30)
PLACE = (300, 200, 460, 260)


def say(what: str, **more: object) -> None:
    sys.stdout.write(json.dumps({"what": what, **more}) + "\n")
    sys.stdout.flush()


def now() -> float:
    return time.monotonic() * 1000


class Ears(QObject):
    """Tells of presses and keys; `label` says what got them."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if isinstance(event, QMouseEvent) and event.type() in (
            QEvent.Type.MouseButtonPress,
            QEvent.Type.MouseButtonDblClick,
        ):
            say("press", on=str(watched.property("label") or _text(watched)), at=event.timestamp())
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.text():
            say("key", on=str(watched.property("label")), text=event.text(), at=event.timestamp())
        return False


def _text(watched: QObject) -> str:
    return watched.text() if isinstance(watched, QPushButton) else type(watched).__name__


class Victim:
    """The window, and every way in which it changes."""

    def __init__(self, name: str, application: QApplication) -> None:
        self._ears, self._application, self._heard = Ears(), application, b""
        self._window, self._popup = QWidget(), QWidget(None, Qt.WindowType.BypassWindowManagerHint)
        self._window.setWindowTitle(name)
        self._window.setGeometry(*PLACE)
        self._safe = self._button("Cancel", *BUTTON)
        self._bad = self._button("Delete", 40, 80, 120, 30)
        self._page = self._button("Delete", *BUTTON)
        self._more = self._button("Continue", 200, 40, 120, 30)
        self._box = QLineEdit(self._window)
        self._box.setGeometry(40, 180, 300, 30)
        self._popup.setGeometry(PLACE[0] + 20, PLACE[1] + 20, 200, 80)
        self._in_popup = QPushButton("Delete", self._popup)
        self._in_popup.setGeometry(20, 20, 120, 30)
        self._thief = QLineEdit()
        self._thief.setWindowTitle(f"{name} thief")
        self._thief.setGeometry(900, 600, 200, 40)
        for watched, label in (
            (self._box, f"{name} box"),
            (self._popup, "popup"),
            (self._in_popup, "popup"),
            (self._thief, "thief"),
        ):
            watched.setProperty("label", label)
            watched.installEventFilter(self._ears)

    def _button(self, words: str, x: int, y: int, width: int, height: int) -> QPushButton:
        button = QPushButton(words, self._window)
        button.setGeometry(x, y, width, height)
        button.installEventFilter(self._ears)
        return button

    def hear(self) -> None:
        heard = os.read(sys.stdin.fileno(), 65_536)
        if not heard:
            self._application.quit()
        self._heard += heard
        *lines, self._heard = self._heard.split(b"\n")
        for told in map(json.loads, lines):
            self._later(told["after"], told["do"])

    def _later(self, after: float, what: str) -> None:
        if after <= 0:
            self._do(what)
            return
        timer = QTimer(self._window)
        timer.setTimerType(Qt.TimerType.PreciseTimer)
        timer.setSingleShot(True)
        timer.timeout.connect(lambda: self._do(what))
        timer.start(round(after))

    def _do(self, what: str) -> None:
        began = now()
        getattr(self, f"do_{what}")()
        self._application.sync()
        say(what, began=began, shown=now())

    # ---- the ways ----------------------------------------------------------------------------

    def do_show(self) -> None:
        """As it is before every trial."""
        self._safe.setText("Cancel")
        self._page.hide()
        self._popup.hide()
        self._thief.hide()
        self._bad.setGeometry(40, 80, 120, 30)
        self._window.setGeometry(*PLACE)
        self._box.clear()
        self._window.show()
        self._window.raise_()
        self._window.activateWindow()
        self._window.repaint()

    def do_hide(self) -> None:
        self._popup.hide()
        self._thief.hide()
        self._window.hide()

    def do_focus(self) -> None:
        self._box.setFocus()

    def do_sync(self) -> None:
        """All that the server sent before has been told once this is answered."""
        self._application.processEvents()

    def do_relabel(self) -> None:
        self._safe.setText("Delete")
        self._window.repaint()

    def do_page(self) -> None:
        """Another page with another button at the same place."""
        self._page.show()
        self._page.raise_()
        self._window.repaint()

    def do_popup(self) -> None:
        self._popup.show()
        self._popup.repaint()

    def do_move(self) -> None:
        """The window goes up by the distance of two buttons."""
        self._window.move(self._window.x(), self._window.y() - 40)

    def do_nudge(self) -> None:
        """The window goes aside, and another button comes to the place."""
        self._window.move(self._window.x() - 160, self._window.y())

    def do_shift(self) -> None:
        """The window goes by some pixels; what is at the place is the same button still."""
        self._window.move(self._window.x() - 14, self._window.y() - 5)

    def do_resize(self) -> None:
        """The window gets another size, and its layout with it."""
        self._window.resize(PLACE[2] - 60, PLACE[3] - 40)
        self._bad.setGeometry(*BUTTON)
        self._bad.raise_()
        self._window.repaint()

    def do_steal(self) -> None:
        """A new window takes the keyboard."""
        self._thief.show()
        self._thief.raise_()
        self._thief.activateWindow()
        self._thief.setFocus()

    def do_quit(self) -> None:
        self._application.quit()


def main() -> int:
    application = QApplication(sys.argv)
    application.setStyle("Fusion")
    victim = Victim(sys.argv[1], application)
    notifier = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(lambda *_: victim.hear())
    say("ready")
    return application.exec()


if __name__ == "__main__":
    sys.exit(main())
