"""A Qt window with a button that writes into the file named how often it was pressed: `button.py FILE`."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication, QMainWindow, QPushButton

presses = 0


def press() -> None:
    global presses
    presses += 1
    Path(sys.argv[1]).write_text(str(presses))
    button.setText(f"Pressed {presses}")


app = QApplication(sys.argv)
button = QPushButton("Count me")
button.clicked.connect(press)
window = QMainWindow()
window.setWindowTitle("Counter")
window.setCentralWidget(button)
window.resize(300, 200)
window.show()
sys.exit(app.exec())
