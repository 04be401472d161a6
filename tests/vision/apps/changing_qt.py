"""A Qt window that changes on commands over the Unix socket at argv[1]: a kind and a number per line."""

import socket
import sys
from collections.abc import Callable

from PySide6.QtCore import QSocketNotifier
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QScrollArea,
    QSlider,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

app = QApplication(sys.argv[:1])
app.setCursorFlashTime(0)
window = QWidget()
window.setWindowTitle("Changing")
column = QVBoxLayout(window)
entry, check, label, button = QLineEdit("one"), QCheckBox("Fast"), QLabel("Hello"), QPushButton("Send")
slider, choice, tabs, rows, area = QSlider(), QComboBox(), QTabWidget(), QListWidget(), QScrollArea()
choice.addItems([f"Choice {n}" for n in range(5)])
rows.addItems([f"Row {n}" for n in range(30)])
tabs.addTab(QPushButton("In the first"), "First")
tabs.addTab(QLabel("In the second"), "Second")
inner = QWidget()
lines = QVBoxLayout(inner)
for n in range(30):
    lines.addWidget(QPushButton(f"Line {n}"))
area.setWidget(inner)
box = QWidget()
added = QVBoxLayout(box)
for each in (entry, check, label, button, slider, choice, tabs, rows, area, box):
    column.addWidget(each)
dialog = QDialog(window)
dialog.setWindowTitle("Question")
QVBoxLayout(dialog).addWidget(QPushButton("Yes"))


def remove() -> None:
    if (item := added.takeAt(0)) and (widget := item.widget()):
        widget.deleteLater()


CHANGES: dict[str, Callable[[int], object]] = {
    "text": lambda n: entry.setText(f"text {n}"),
    "check": lambda _: check.toggle(),
    "rename": lambda n: label.setText(f"Hello {n}" + " and more" * (n % 3)),
    "enable": lambda n: button.setEnabled(n % 2 == 0),
    "slide": lambda n: slider.setValue(n),
    "choose": lambda n: choice.setCurrentIndex(n % 5),
    "tab": lambda n: tabs.setCurrentIndex(n % 2),
    "select": lambda n: rows.setCurrentRow(n % 30),
    "scroll": lambda n: area.verticalScrollBar().setValue(n * 9),
    "add": lambda n: added.addWidget(QPushButton(f"Added {n}")),
    "remove": lambda _: remove(),
    "hide": lambda n: check.setVisible(n % 2 == 0),
    "focus": lambda n: (entry, button)[n % 2].setFocus(),
    "title": lambda n: window.setWindowTitle(f"Changing {n}"),
    "move": lambda n: window.move(20 + n * 3, 30 + n),
    "dialog": lambda n: dialog.setVisible(n % 2 == 0),
}

server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1])
server.listen()
window.resize(500, 650)
window.show()
connection, _ = server.accept()


def change() -> None:
    kind, number = connection.recv(100).decode().split()
    CHANGES[kind](int(number))
    connection.sendall(b"done\n")


notifier = QSocketNotifier(connection.fileno(), QSocketNotifier.Type.Read)
notifier.activated.connect(change)
sys.exit(app.exec())
