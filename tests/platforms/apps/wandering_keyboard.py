"""A Qt window that, at the fifth character, has the keyboard go elsewhere: `window`, `menu` or `outside` (the window manager).

Keeps the file named on its command line equal to what its first box has, a line feed, and what the other place got.
"""

import sys
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QWidget

file, how = Path(sys.argv[1]), sys.argv[2]
application = QApplication(sys.argv)
got: list[str] = []


def save() -> None:
    partial = file.with_suffix(".part")
    partial.write_text(box.text() + "\n" + "".join(got), encoding="utf-8")
    partial.replace(file)


class Box(QLineEdit):
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        QTimer.singleShot(0, save)


class Other(QWidget):
    def keyPressEvent(self, event: QKeyEvent) -> None:
        got.append(event.text())
        save()


class Menu(QMenu):
    def keyPressEvent(self, event: QKeyEvent) -> None:
        got.append(event.text())
        save()


def wander(text: str) -> None:
    save()
    if len(text) != 5:
        return
    if how == "menu":
        menu.popup(box.mapToGlobal(box.rect().bottomLeft()))
        return
    other.show()
    other.activateWindow()
    if how == "outside":
        other.grabKeyboard()


box = Box()
box.setWindowTitle("first window")
box.textChanged.connect(wander)
box.resize(500, 60)
other: Any = Other(None, Qt.WindowType.BypassWindowManagerHint) if how == "outside" else Other()
other.setWindowTitle("second window")
other.setGeometry(300, 400, 300, 200)
menu = Menu("the menu", box)
menu.addAction("Xylophone")
box.show()
box.activateWindow()
sys.exit(application.exec())
