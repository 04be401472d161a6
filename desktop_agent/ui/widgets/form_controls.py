"""Form controls painted from the theme (line field, field for a secret, switch, drop-down, folding button), with names for screen readers."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QMoveEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QSizePolicy, QToolButton, QWidget

from desktop_agent.support.language import tr
from desktop_agent.ui.widgets.theme import Theme

HEIGHT = 34
CORNER = 8.0
SWITCH = QSize(44, 28)


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


def paint_frame(painter: QPainter, theme: Theme, widget: QWidget, wrong: bool = False) -> None:
    """Paint the rounded frame of a field: accent while it has the keyboard, red while its value is wrong."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    focused = widget.hasFocus()
    edge = "stop" if wrong else "accent" if focused else "grip"
    painter.setPen(QPen(theme.color(edge), 2 if focused or wrong else 1))
    painter.setBrush(theme.color("card"))
    painter.drawRoundedRect(QRectF(widget.rect()).adjusted(1, 1, -1, -1), CORNER, CORNER)


class LineField(QLineEdit):
    """A line of text in a rounded frame. Signals: those of QLineEdit."""

    def __init__(self, theme: Theme, name: str, hint: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._wrong = theme, False
        self.setFont(theme.font("body"))
        self.setFrame(False)
        self.setTextMargins(9, 0, 9, 0)
        self.setAccessibleName(name)
        self.setPlaceholderText(hint)
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Base, QColor(0, 0, 0, 0))
        self.setPalette(palette)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_wrong(self, wrong: bool) -> None:
        """Show that its value is wrong."""
        self._wrong = wrong
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(160, max(HEIGHT, self.fontMetrics().height() + 14))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if not self.isEnabled():
            painter.setOpacity(0.55)
        paint_frame(painter, self._theme, self, self._wrong)
        painter.end()
        super().paintEvent(event)


class SecretField(LineField):
    """A line that is pasted, shown as dots, and taken once. Signals: those of QLineEdit."""

    def __init__(self, theme: Theme, name: str, hint: str = "", parent: QWidget | None = None) -> None:
        super().__init__(theme, name, hint, parent)
        self.setEchoMode(QLineEdit.EchoMode.Password)
        self.setInputMethodHints(
            Qt.InputMethodHint.ImhHiddenText
            | Qt.InputMethodHint.ImhSensitiveData
            | Qt.InputMethodHint.ImhNoPredictiveText
        )

    def take(self) -> str:
        """What was pasted; it is not in the field any more, nor in what can be undone."""
        secret = self.text().strip()
        self.setText("")
        return secret

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter ends here: what has the keyboard after it must not be pressed by it, too."""
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()


class Toggle(QCheckBox):
    """A switch. Signals: those of QCheckBox."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._ring = theme, False
        self.setAccessibleName(name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedSize(SWITCH)

    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = event.reason() != Qt.FocusReason.MouseFocusReason
        super().focusInEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, on = self._theme, self.isChecked()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.isEnabled():
            painter.setOpacity(0.5)
        track = QRectF(3, 4, self.width() - 6, self.height() - 8)
        painter.setPen(QPen(theme.color("accent" if on else "soft"), 1.4))
        painter.setBrush(theme.color("accent" if on else "card"))
        painter.drawRoundedRect(track, track.height() / 2, track.height() / 2)
        right = on != (self.layoutDirection() == Qt.LayoutDirection.RightToLeft)
        x = track.right() - track.height() / 2 if right else track.left() + track.height() / 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("on_accent" if on else "soft"))
        radius = track.height() / 2 - (3.2 if on else 4.4)
        painter.drawEllipse(QPointF(x, track.center().y()), radius, radius)
        if self._ring and self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("accent"), 2))
            ring = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(ring, ring.height() / 2, ring.height() / 2)
        painter.end()


class DropDown(NamedComboBox):
    """A drop-down list; the wheel scrolls the page, not the choice. Signals: those of QComboBox."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._theme, self._wrong = theme, False
        self.setFont(theme.font("body"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.view().setTextElideMode(Qt.TextElideMode.ElideRight)

    def fill(self, values: Iterable[tuple[object, str]]) -> None:
        """Offer these values with their words."""
        self.clear()
        for value, words in values:
            self.addItem(words, value)
        self.updateGeometry()

    def set_wrong(self, wrong: bool) -> None:
        """Show that its value is wrong."""
        self._wrong = wrong
        self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def sizeHint(self) -> QSize:
        words = [self.fontMetrics().horizontalAdvance(self.itemText(n)) for n in range(self.count())]
        return QSize(max(words, default=80) + 46, max(HEIGHT, self.fontMetrics().height() + 14))

    def minimumSizeHint(self) -> QSize:
        return QSize(96, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        if not self.isEnabled():
            painter.setOpacity(0.55)
        paint_frame(painter, theme, self, self._wrong)
        painter.setFont(self.font())
        painter.setPen(theme.color("ink"))
        left = self.layoutDirection() == Qt.LayoutDirection.LeftToRight
        area = QRectF(self.rect()).adjusted(11 if left else 30, 0, -30 if left else -11, 0)
        text = self.fontMetrics().elidedText(
            self.currentText(), Qt.TextElideMode.ElideRight, int(area.width()) + 2
        )
        side = Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignRight
        painter.drawText(area.adjusted(0, 0, 3, 0), side | Qt.AlignmentFlag.AlignVCenter, text)
        icon = theme.icon("down", "soft", 14, self.devicePixelRatioF())
        painter.drawPixmap(self.width() - 24 if left else 10, round(self.height() / 2 - 7), icon)
        painter.end()
