"""A Qt window of about 200 accessible objects; run as a program."""

from __future__ import annotations

import sys

from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QGroupBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QSlider,
    QWidget,
)

TITLE = "Settings of the house"


def main() -> None:
    app = QApplication(sys.argv)
    window = QWidget()
    window.setWindowTitle(TITLE)
    grid = QGridLayout(window)
    for number in range(25):
        grid.addWidget(_group(number), number // 5, number % 5)
    window.resize(1500, 900)
    window.show()
    app.exec()


def _group(number: int) -> QGroupBox:
    group = QGroupBox(f"Room {number}")
    grid = QGridLayout(group)
    choice = QComboBox()
    choice.addItems(["Warm", "Cold", "Off"])
    parts = (
        QLabel(f"Name of room {number}"),
        QLineEdit(f"Room {number}"),
        QCheckBox("Lights"),
        choice,
        QSlider(),
        QPushButton("Apply"),
        QPushButton("Reset"),
    )
    for row, part in enumerate(parts):
        grid.addWidget(part, row // 2, row % 2)
    return group


if __name__ == "__main__":
    main()
