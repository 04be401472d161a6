"""Appends each key that it is sent to a file, a line a key, as in `Ctrl+A`: `key_log.py FILE`."""

import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

MODIFIER_KEYS = (Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_Meta)


class KeyLog(QWidget):
    """A window that takes every key; the file exists from when the window has the focus."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.file = file
        self.setWindowTitle("key log")
        self.resize(300, 200)

    def focusInEvent(self, event: object) -> None:
        self.file.touch()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in MODIFIER_KEYS:
            with self.file.open("a", encoding="utf-8") as out:
                out.write(QKeySequence(event.keyCombination()).toString() + "\n")


app = QApplication(sys.argv)
window = KeyLog(Path(sys.argv[1]))
window.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
window.show()
window.setFocus()
app.exec()
