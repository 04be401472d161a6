"""A Qt window that writes what its mouse and keyboard get, one line an event, to the file it is given."""

import sys
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QWidget

log = Path(sys.argv[1]).open("a", buffering=1)  # noqa: SIM115
KINDS = {
    QEvent.Type.MouseButtonPress: "press",
    QEvent.Type.MouseButtonRelease: "release",
    QEvent.Type.MouseButtonDblClick: "double",
    QEvent.Type.MouseMove: "move",
    QEvent.Type.Wheel: "wheel",
}


class Window(QWidget):
    def event(self, event: Any) -> bool:
        kind = KINDS.get(event.type())
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
window.show()
sys.exit(application.exec())
