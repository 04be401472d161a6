"""Names for screen readers where Qt's own widgets give none."""

from __future__ import annotations

from PySide6.QtGui import QMoveEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QToolButton, QWidget

from desktop_agent.support.language import tr


class NamedComboBox(QComboBox):
    """A combo box that is called `name` on every system. Signals: those of QComboBox.

    Over AT-SPI Qt gives the current text as a combo box's name, and what it is for only as a relation to a label whose
    buddy it is, with the same parent. So it brings such a label: of one pixel, and under it.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._label: QLabel | None = None

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._label is None:
            self._label = QLabel(self.accessibleName())
            self._label.setBuddy(self)
            self._label.setFixedSize(1, 1)
        self._label.setParent(self.parentWidget())
        self._place_label()
        self._label.lower()
        self._label.show()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self._place_label()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_label()

    def _place_label(self) -> None:
        if self._label is not None:
            self._label.move(self.geometry().center())


def add_clear_button(field: QLineEdit) -> None:
    """Give a field a button that clears it."""
    field.setClearButtonEnabled(True)
    field.findChildren(QToolButton)[-1].setAccessibleName(tr("Clear the search"))
