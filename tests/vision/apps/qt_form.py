"""A Qt window with one of each common widget, for reading its elements."""

import sys

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QFormLayout,
    QLineEdit,
    QListWidget,
    QMainWindow,
    QPlainTextEdit,
    QPushButton,
    QSlider,
    QWidget,
)

app = QApplication(sys.argv)
window = QMainWindow()
window.setWindowTitle("Qt form")
window.menuBar().addMenu("&File").addAction("Quit")
page = QWidget()
form = QFormLayout(page)
window.setCentralWidget(page)
form.addRow("Name", QLineEdit("Ann"))
password = QLineEdit("secret")
password.setEchoMode(QLineEdit.EchoMode.Password)
form.addRow("Password", password)
fast = QCheckBox("Fast")
fast.setChecked(True)
form.addRow(fast)
speed = QSlider(Qt.Orientation.Horizontal)
speed.setValue(30)
form.addRow("Speed", speed)
colour = QComboBox()
colour.addItems(["Red", "Green"])
form.addRow("Colour", colour)
form.addRow(QPlainTextEdit("one\ntwo"))
rows = QListWidget()
rows.addItems([f"Row {i}" for i in range(5000)])
form.addRow(rows)
form.addRow(QPushButton("Send"))
window.resize(400, 600)
window.show()
rows.scrollToItem(rows.item(4000), QListWidget.ScrollHint.PositionAtTop)
sys.exit(app.exec())
