"""A table of rows that each have a name: the words in it, and the view in which one row is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from desktop_agent.support.language import tr
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import tool_tip_text

_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
Index = QModelIndex | QPersistentModelIndex


class _Named(Protocol):
    """Has a name that no other row has."""

    @property
    def name(self) -> str: ...


Row = TypeVar("Row", bound=_Named)


class NamedRows(QAbstractTableModel, Generic[Row]):
    """The model of a list: `rows` in the order they are shown. Subclasses give the words of each column."""

    columns: ClassVar[tuple[str, ...]]
    numbers: ClassVar[tuple[int, ...]] = ()
    """Columns that stand at the right."""
    widest: ClassVar[int]
    """The column that takes the room the others leave."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.rows: list[Row] = []

    def words(self, row: Row, column: int) -> str:
        """The words of a row in a column."""
        raise NotImplementedError

    def about(self, row: Row, column: int) -> str:
        """More words, for whoever points there."""
        return self.words(row, column)

    def tone(self, row: Row, column: int) -> str:
        """The theme's colour of these words; "" for the usual one."""
        raise NotImplementedError

    def show_rows(self, rows: list[Row]) -> None:
        """Show these; where the same stand in the same order the choice stays."""
        if [each.name for each in rows] == [each.name for each in self.rows]:
            self.rows = rows
            if rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(self.columns) - 1))
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return tr(self.columns[section])
        if role == Qt.ItemDataRole.TextAlignmentRole and section in self.numbers:
            return _RIGHT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self.rows[index.row()], index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.words(row, column)
            case Qt.ItemDataRole.ToolTipRole:
                return tool_tip_text(self.about(row, column))
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{tr(self.columns[column])}: {self.words(row, column)}"
            case Qt.ItemDataRole.ForegroundRole if tone := self.tone(row, column):
                return self._theme.color(tone)
            case Qt.ItemDataRole.TextAlignmentRole if column in self.numbers:
                return _RIGHT
        return None


class NamedRowsView(QTableView, Generic[Row]):
    """Shows a table, and one row of it as chosen. `widths` are the least of its columns, `padding` stands beside each cell.

    Signals: `entered` and `delete_wanted`, by the keys Enter and Delete.
    """

    entered = Signal()
    delete_wanted = Signal()

    def __init__(
        self, theme: Theme, table: NamedRows[Row], name: str, widths: Sequence[int], padding: int
    ) -> None:
        super().__init__()
        self._table = table
        self.setModel(table)
        self.setAccessibleName(name)
        self.setFont(theme.font("small"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setStyleSheet(
            f"QTableView::item {{ padding: 0 {padding}px; }} QHeaderView::section {{ padding: 0 8px; }}"
        )
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(max(32, self.fontMetrics().height() + 14))
        head = self.horizontalHeader()
        head.setFont(theme.font("small"))
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setHighlightSections(False)
        for column, width in enumerate(widths):
            words = tr(table.columns[column])
            head.resizeSection(column, max(width, self.fontMetrics().horizontalAdvance(words) + 24))
        head.setSectionResizeMode(table.widest, QHeaderView.ResizeMode.Stretch)

    @property
    def chosen(self) -> Row | None:
        """The row that is chosen."""
        rows = self.selectionModel().selectedRows()
        return self._table.rows[rows[0].row()] if rows and rows[0].row() < len(self._table.rows) else None

    def choose(self, name: str) -> None:
        """Choose the row of this name, else the first."""
        chosen, names = self.chosen, [each.name for each in self._table.rows]
        if names and (chosen is None or chosen.name != name):
            self.selectRow(names.index(name) if name in names else 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        elif event.key() == Qt.Key.Key_Delete:
            self.delete_wanted.emit()
        else:
            super().keyPressEvent(event)
