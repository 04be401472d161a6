"""The list of sections: at the side of a wide dialog, a drop-down list on a narrow one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from desktop_agent.ui.widgets.scroll_area import ThinBar
from desktop_agent.ui.widgets.theme import Theme

WIDTH, LINE = 196, 36
ICON, MARKED = Qt.ItemDataRole.UserRole + 1, Qt.ItemDataRole.UserRole + 2


class _Painter(QStyledItemDelegate):
    """Paints an entry: tinted when it is chosen, with a dot when something in it is wrong or not saved."""

    def __init__(self, theme: Theme, parent: QListWidget) -> None:
        super().__init__(parent)
        self._theme, self._list = theme, parent

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(WIDTH - 20, max(LINE, self._list.fontMetrics().height() + 16))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme, chosen = self._theme, self._list.currentRow() == index.row()
        area = QRectF(option.rect).adjusted(2, 1, -2, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if chosen:
            painter.setBrush(theme.color("accent_tint"))
            painter.drawRoundedRect(area, 8, 8)
            if self._list.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(theme.color("accent"))
                painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        tone = "link" if chosen else "soft"
        icon = theme.icon(index.data(ICON), tone, 16, self._list.devicePixelRatioF())
        left = self._list.layoutDirection() == Qt.LayoutDirection.LeftToRight
        x = area.left() + 10 if left else area.right() - 26
        painter.drawPixmap(round(x), round(area.center().y() - 8), icon)
        painter.setFont(theme.font("strong" if chosen else "body"))
        painter.setPen(theme.color("ink"))
        words = area.adjusted(36, 0, -18, 0) if left else area.adjusted(18, 0, -36, 0)
        side = Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignRight
        text = painter.fontMetrics().elidedText(
            index.data(), Qt.TextElideMode.ElideRight, int(words.width()) + 2
        )
        painter.drawText(words, side | Qt.AlignmentFlag.AlignVCenter, text)
        if tone_of_mark := index.data(MARKED):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color(tone_of_mark))
            painter.drawEllipse(
                QRectF(area.right() - 14 if left else area.left() + 7, area.center().y() - 3.5, 7, 7)
            )
        painter.restore()


class SectionList(QListWidget):
    """Sections with their icons. Signal: `chosen(section)` when the user chose one."""

    chosen = Signal(str)

    def __init__(
        self, theme: Theme, sections: Sequence[tuple[str, str, str]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setFont(theme.font("strong"))
        self.setFixedWidth(WIDTH)
        self.setFrameShape(QListWidget.Shape.NoFrame)
        self.setVerticalScrollBar(ThinBar(theme))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.setItemDelegate(_Painter(theme, self))
        self._names = [name for name, _, _ in sections]
        for _, title, icon in sections:
            item = QListWidgetItem(title)
            item.setData(ICON, icon)
            self.addItem(item)
        self.currentRowChanged.connect(lambda row: self.chosen.emit(self._names[row]) if row >= 0 else None)

    def choose(self, section: str) -> None:
        """Show a section as the chosen one; `chosen` is not emitted. "" for none."""
        self.blockSignals(True)
        self.setCurrentRow(self._names.index(section) if section in self._names else -1)
        self.blockSignals(False)
        self.viewport().update()

    def mark(self, section: str, tone: str, said: str) -> None:
        """Put a dot of a colour behind a section, and say why to screen readers; "" for none."""
        item = self.item(self._names.index(section))
        item.setData(MARKED, tone)
        title = item.text()
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{title}, {said}" if said else title)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.focusNextChild()
        else:
            super().keyPressEvent(event)
