"""A page of the dialog: cards of settings, what is folded away, and panels that are more than a setting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop_agent.support.language import tr
from desktop_agent.ui.settings.options.setting_catalog import PluginGroup, Setting
from desktop_agent.ui.settings.setting_row import SettingRow
from desktop_agent.ui.widgets.buttons import INSET, Button
from desktop_agent.ui.widgets.primitives import Card
from desktop_agent.ui.widgets.scroll_area import ColumnLayout
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText

MakeRow = Callable[[Setting], SettingRow]
FIRST = 10
"""Rows that a search shows at once."""


class RuleLine(QWidget):
    """A thin line between two settings."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedHeight(1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(QRectF(self.rect()), self._theme.color("line"))
        painter.end()


class WiderLayout(QHBoxLayout):
    """A row that reaches INSET pixels out of its place on both sides (Qt has no negative margins)."""

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect.adjusted(-INSET, 0, INSET, 0))

    def heightForWidth(self, width: int) -> int:
        return super().heightForWidth(width + 2 * INSET)


class Fold(QWidget):
    """A heading that opens and closes what is under it; that is made when it is first opened."""

    def __init__(
        self,
        theme: Theme,
        title: str,
        fill: Callable[[QVBoxLayout], None],
        settings: Sequence[Setting],
        *,
        opened: bool = False,
    ) -> None:
        super().__init__()
        self._fill, self._filled = fill, False
        self.names = {each.name for each in settings}
        self.head = Button(theme, title, kind="head", icon="right")
        self.body = QWidget()
        self._inner = QVBoxLayout(self.body)
        self._inner.setContentsMargins(INSET, 0, INSET, 0)
        self._inner.setSpacing(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 2)
        column.setSpacing(2)
        column.addWidget(self.head, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.body)
        self.head.clicked.connect(self.toggle)
        self.body.setVisible(False)
        if opened:
            self.toggle()

    def add_to(self, column: QVBoxLayout) -> None:
        """Add it so that its heading stands flush with the words above and below."""
        row = WiderLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self)
        column.addLayout(row)

    def toggle(self) -> None:
        """Open it, or close it."""
        opened = self.body.isHidden()
        if opened and not self._filled:
            self._filled = True
            self._fill(self._inner)
        self.body.setVisible(opened)
        self.head.icon_name = "down" if opened else "right"
        self.head.setAccessibleDescription(tr("open") if opened else tr("closed"))
        self.head.update()


class SectionPage(QWidget):
    """A column of cards. `rows` are those of all settings that were made so far."""

    def __init__(self, theme: Theme, title: str, about: str, make_row: MakeRow) -> None:
        super().__init__()
        self._theme, self._make_row = theme, make_row
        self.rows: dict[str, SettingRow] = {}
        self.folds: list[Fold] = []
        self.column = ColumnLayout(self)
        self.column.setContentsMargins(18, 16, 18, 22)
        self.column.setSpacing(12)
        self.title = WrappedText(theme, title, role="title")
        self.column.addWidget(self.title)
        if about:
            self.column.addWidget(WrappedText(theme, about, color="soft"))
        self.column.addStretch(1)

    def add(self, part: QWidget) -> None:
        """Add a part at the end."""
        self.column.insertWidget(self.column.count() - 1, part)

    def add_settings(self, settings: Iterable[Setting], *, fold: bool = True) -> None:
        """Add a card of settings; the advanced ones are folded away when `fold`."""
        found = tuple(settings)
        plain = [each for each in found if not (fold and each.advanced)]
        hidden = [each for each in found if fold and each.advanced]
        if not found:
            return
        card = self._card()
        self._fill(card.box, plain)
        if hidden:
            self._fold(card.box, tr("MORE"), hidden)
        self.add(card)

    def add_group(self, group: PluginGroup, *, opened: bool, panels: Callable[[], Sequence[QWidget]]) -> None:
        """Add a card for a plug-in: folded, or with the reason why it cannot be used."""
        card = self._card()
        if group.problem:
            card.box.addWidget(WrappedText(self._theme, group.title, role="strong"))
            said = tr("Cannot be used: {problem}").format(problem=group.problem)
            card.box.addWidget(WrappedText(self._theme, said, role="small", color="warn"))
            card.box.addWidget(WrappedText(self._theme, group.about, role="small", color="soft"))
        else:
            self._add_fold(card, group, opened, panels)
        self.add(card)

    def _add_fold(
        self, card: Card, group: PluginGroup, opened: bool, panels: Callable[[], Sequence[QWidget]]
    ) -> None:
        def fill(column: QVBoxLayout) -> None:
            column.addWidget(WrappedText(self._theme, group.about, role="small", color="soft"))
            self._fill(column, [each for each in group.settings if not each.advanced])
            for panel in panels():
                column.addWidget(RuleLine(self._theme))
                column.addWidget(panel)
            if hidden := [each for each in group.settings if each.advanced]:
                self._fold(column, tr("MORE"), hidden)

        self.folds.append(fold := Fold(self._theme, group.title, fill, group.settings, opened=opened))
        fold.head.setFont(self._theme.font("strong"))
        fold.head.tone = "ink"
        fold.add_to(card.box)

    def add_found(self, settings: Sequence[Setting], section_of: Callable[[Setting], str]) -> None:
        """Add what a search found, under the sections' names; `FIRST` rows at most."""
        for title, found in _by_section(settings[:FIRST], section_of):
            self.add(WrappedText(self._theme, title, role="caps", color="soft"))
            self.add_settings(found, fold=False)
        if len(settings) > FIRST:
            more = tr("{n} more: type more to find them.").format(n=len(settings) - FIRST)
            self.add(WrappedText(self._theme, more, color="soft"))

    def unfold(self, name: str) -> SettingRow | None:
        """The row of a setting, with the folds above it opened; None where it is not on this page."""
        while closed := [each for each in self.folds if name in each.names and each.body.isHidden()]:
            closed[0].toggle()
        return self.rows.get(name)

    def _card(self) -> Card:
        card = Card(self._theme)
        card.box.setContentsMargins(15, 6, 11, 10)
        card.box.setSpacing(0)
        return card

    def _fold(self, column: QVBoxLayout, title: str, settings: Sequence[Setting]) -> None:
        self.folds.append(
            fold := Fold(self._theme, title, lambda inner: self._fill(inner, settings), settings)
        )
        fold.add_to(column)

    def _fill(self, column: QVBoxLayout, settings: Sequence[Setting]) -> None:
        for number, setting in enumerate(settings):
            if number:
                column.addWidget(RuleLine(self._theme))
            row = self.rows[setting.name] = self._make_row(setting)
            column.addWidget(row)


def _by_section(
    settings: Sequence[Setting], section_of: Callable[[Setting], str]
) -> Iterator[tuple[str, list[Setting]]]:
    grouped: dict[str, list[Setting]] = {}
    for each in settings:
        grouped.setdefault(section_of(each), []).append(each)
    yield from grouped.items()
