"""A field for a key: pasted, never shown, taken once."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from desktop_agent.ui.widgets.theme import Theme

HEIGHT = 34


class SecretField(QLineEdit):
    """A line of text that is shown as dots. Signals: those of QLineEdit."""

    def __init__(self, theme: Theme, name: str, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setEchoMode(QLineEdit.EchoMode.Password)
        self.setInputMethodHints(
            Qt.InputMethodHint.ImhHiddenText
            | Qt.InputMethodHint.ImhSensitiveData
            | Qt.InputMethodHint.ImhNoPredictiveText
        )
        self.setFont(theme.font("body"))
        self.setFrame(False)
        self.setTextMargins(9, 0, 9, 0)
        self.setAccessibleName(name)
        self.setPlaceholderText(hint)
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Base, QColor(0, 0, 0, 0))
        self.setPalette(palette)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

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

    def sizeHint(self) -> QSize:
        return QSize(160, max(HEIGHT, self.fontMetrics().height() + 14))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused = self.hasFocus()
        painter.setPen(QPen(self._theme.color("accent" if focused else "grip"), 2 if focused else 1))
        painter.setBrush(self._theme.color("window"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 8, 8)
        painter.end()
        super().paintEvent(event)
