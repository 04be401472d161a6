"""A layout that puts its items in rows, as many into each as there is room for."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Items in rows, in the direction of writing; each row as wide as there is room."""

    def __init__(self, spacing: int = 7) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._gap = spacing

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), apply=False)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        sizes = [item.sizeHint() for item in self._items if not item.isEmpty()]
        return QSize(max((s.width() for s in sizes), default=0), max((s.height() for s in sizes), default=0))

    def setGeometry(self, area: QRect) -> None:
        super().setGeometry(area)
        self._place(area, apply=True)

    def _place(self, area: QRect, apply: bool) -> int:
        x, y, row = area.x(), area.y(), 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint().boundedTo(QSize(area.width(), item.sizeHint().height()))
            if item.hasHeightForWidth():
                size.setHeight(max(size.height(), item.heightForWidth(size.width())))
            if x > area.x() and x + size.width() > area.x() + area.width():
                x, y, row = area.x(), y + row + self._gap, 0
            if apply:
                item.setGeometry(self._mirrored(QRect(QPoint(x, y), size), area))
            x += size.width() + self._gap
            row = max(row, size.height())
        return y + row - area.y()

    def _mirrored(self, place: QRect, area: QRect) -> QRect:
        """The place from the other side where one writes from right to left."""
        parent = self.parentWidget()
        if not isinstance(parent, QWidget) or parent.layoutDirection() != Qt.LayoutDirection.RightToLeft:
            return place
        return place.translated(area.left() + area.right() - place.left() - place.right(), 0)
