"""A Qt window that writes what its mouse gets, one line an event, to the file it is given.

With `--all` as second argument it fills the screen and writes what its keyboard gets, too.
"""

import sys
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QWidget

log = Path(sys.argv[1]).open("a", buffering=1)  # noqa: SIM115
KINDS = {
    QEvent.Type.MouseButtonPress: "press",
    QEvent.Type.MouseButtonRelease: "release",
    QEvent.Type.MouseButtonDblClick: "double",
    QEvent.Type.MouseMove: "move",
    QEvent.Type.Wheel: "wheel",
}


KEYS = {QEvent.Type.KeyPress: "key", QEvent.Type.KeyRelease: "key_release"}
ALL = sys.argv[2:] == ["--all"]


class Window(QWidget):
    def event(self, event: Any) -> bool:
        kind = KINDS.get(event.type())
        if ALL and event.type() in KEYS:
            log.write(f"{KEYS[event.type()]} {Qt.Key(event.key()).name} {event.text()!r}\n")
        if kind == "wheel":
            log.write(f"wheel {event.angleDelta().x()} {event.angleDelta().y()}\n")
        elif kind:
            place = event.globalPosition().toPoint()
            log.write(f"{kind} {event.button().name} {place.x()} {place.y()} {event.modifiers().value:x}\n")
        return super().event(event)


application = QApplication(sys.argv)
window = Window()
window.setWindowTitle("event log")
window.setMouseTracking(True)
window.setGeometry(200, 200, 400, 300)
if ALL:
    window.showMaximized()
    window.setFocus()
else:
    window.show()
sys.exit(application.exec())
