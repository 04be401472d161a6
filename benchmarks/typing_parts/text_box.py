"""A Qt text box; the file named on its command line is made equal to its text whenever nothing more comes."""

import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QApplication, QPlainTextEdit

QUIET_MILLISECONDS = 60


class Box(QPlainTextEdit):
    """Ready with its first focus, and saves from then on."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file
        self._timer = QTimer(self, singleShot=True, interval=QUIET_MILLISECONDS)
        self._timer.timeout.connect(self._save)
        self.textChanged.connect(self._timer.start)
        self.setUndoRedoEnabled(False)
        self.setWindowTitle("text box")

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusInEvent(event)
        self._timer.start()

    def _save(self) -> None:
        partial = self._file.with_suffix(".part")
        partial.write_text(self.toPlainText(), encoding="utf-8")
        partial.replace(self._file)


def main() -> int:
    application = QApplication(sys.argv)
    box = Box(Path(sys.argv[1]))
    box.resize(700, 400)
    box.show()
    box.activateWindow()
    return application.exec()


if __name__ == "__main__":
    sys.exit(main())
