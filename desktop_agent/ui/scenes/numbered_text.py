"""A field for program text with line numbers at its side."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QTextCursor, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from desktop_agent.ui.widgets.theme import Theme

PAD = 8


class NumberedText(QPlainTextEdit):
    """Plain text in a fixed font; the line of the caret and a wrong line are marked. Signals: those of QPlainTextEdit."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._wrong: int | None = None
        self.setFont(theme.font("mono"))
        self.setAccessibleName(name)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabStopDistance(2 * self.fontMetrics().horizontalAdvance(" "))
        self.numbers = LineNumbers(self)
        self.blockCountChanged.connect(self._make_room)
        self.updateRequest.connect(self._scrolled)
        self.cursorPositionChanged.connect(self._mark)
        theme.changed.connect(self._mark)
        self._make_room()
        self._mark()

    def mark_wrong(self, offset: int | None) -> None:
        """Mark the line with this offset as wrong; None for no line."""
        self._wrong = offset
        self._mark()
        self.numbers.update()

    def go_to(self, offset: int) -> None:
        """Put the caret there, in sight."""
        cursor = self.textCursor()
        cursor.setPosition(min(offset, len(self.toPlainText())))
        self.setTextCursor(cursor)
        self.centerCursor()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def wrong_line(self) -> int | None:
        """The number of the marked line, from 0; None for no line."""
        return None if self._wrong is None else self.document().findBlock(self._wrong).blockNumber()

    def number_width(self) -> int:
        """Pixels that the numbers take."""
        digits = len(str(max(1, self.blockCount())))
        return 2 * PAD + self.fontMetrics().horizontalAdvance("9") * max(2, digits)

    def paint_numbers(self, area: QRect) -> None:
        """Paint the numbers of the lines in sight."""
        theme, painter = self._theme, QPainter(self.numbers)
        painter.fillRect(area, theme.color("window"))
        painter.setFont(self.font())
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        here, wrong = self.textCursor().blockNumber(), self.wrong_line
        while block.isValid() and top <= area.bottom():
            height = self.blockBoundingRect(block).height()
            number = block.blockNumber()
            token = "stop" if number == wrong else "ink" if number == here else "soft"
            painter.setPen(theme.color(token))
            place = QRect(0, round(top), self.numbers.width() - PAD, round(height))
            painter.drawText(
                place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number + 1)
            )
            top += height
            block = block.next()
        painter.end()

    def _mark(self) -> None:
        marks = [self._line_mark(self.textCursor(), "quiet")]
        if self._wrong is not None:
            cursor = QTextCursor(self.document())
            cursor.setPosition(min(self._wrong, max(0, self.document().characterCount() - 1)))
            marks.append(self._line_mark(cursor, "stop_tint"))
        self.setExtraSelections(marks)

    def _line_mark(self, cursor: QTextCursor, token: str) -> QTextEdit.ExtraSelection:
        mark = QTextEdit.ExtraSelection()
        mark.format.setBackground(self._theme.color(token))
        mark.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        cursor = QTextCursor(cursor)
        cursor.clearSelection()
        mark.cursor = cursor
        return mark

    def _make_room(self) -> None:
        self.setViewportMargins(self.number_width(), 0, 0, 0)

    def _scrolled(self, area: QRect, pixels: int) -> None:
        if pixels:
            self.numbers.scroll(0, pixels)
        else:
            self.numbers.update(0, area.y(), self.numbers.width(), area.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        inside = self.contentsRect()
        self.numbers.setGeometry(inside.left(), inside.top(), self.number_width(), inside.height())


class LineNumbers(QWidget):
    """The numbers beside a NumberedText."""

    def __init__(self, text: NumberedText) -> None:
        super().__init__(text)
        self._text = text

    def sizeHint(self) -> QSize:
        return QSize(self._text.number_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        self._text.paint_numbers(event.rect())
