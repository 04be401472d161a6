"""A Qt window with a menu, a dialog, a check box and a text box."""

import sys

from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QLineEdit,
    QMainWindow,
    QMessageBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

application = QApplication(sys.argv)
window = QMainWindow()
window.setWindowTitle("qt window")
menu = window.menuBar().addMenu("Things")
for word in ("First", "Second", "Third"):
    menu.addAction(word)
box, button = QCheckBox("Tick me"), QPushButton("Open a dialog")
button.clicked.connect(lambda: QMessageBox.information(window, "a dialog", "Here it is."))
content = QWidget()
layout = QVBoxLayout(content)
for part in (box, QLineEdit(), button, QPushButton("Nothing")):
    layout.addWidget(part)
window.setCentralWidget(content)
window.setGeometry(500, 300, 500, 300)
window.show()
sys.exit(application.exec())
