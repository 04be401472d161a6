"""A Qt text box that keeps the file named on its command line equal to its text, from its first focus on."""

import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QApplication, QPlainTextEdit

application = QApplication(sys.argv)


class Box(QPlainTextEdit):
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        timer.start()


box = Box()
box.setWindowTitle("text box")
file = Path(sys.argv[1])


def save() -> None:
    partial = file.with_suffix(".part")
    partial.write_text(box.toPlainText(), encoding="utf-8")
    partial.replace(file)


# Once per turn of the event loop, however many characters came.
timer = QTimer(singleShot=True, interval=0)
timer.timeout.connect(save)
box.textChanged.connect(timer.start)
box.resize(600, 300)
box.show()
box.activateWindow()
sys.exit(application.exec())
