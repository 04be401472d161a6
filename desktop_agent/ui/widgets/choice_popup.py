"""A popup that lists what can be chosen: each with what it does, what it costs, and why it cannot be chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QFrame, QVBoxLayout, QWidget

from desktop_agent.agent.choices import Offer
from desktop_agent.support.language import tr
from desktop_agent.ui.widgets.scroll_area import ScrollArea
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_button import WrappedButton
from desktop_agent.ui.widgets.wrapped_text import Part, WrappedText, escape_invisible

GAP, EDGE, PAD = 6, 8, 8
WIDEST = 440
"""Pixels: from the button, from the window's edge, around the rows; and of the popup at most."""


class ChoiceRow(WrappedButton):
    """One offer as a button; one with a problem cannot be pressed, and says why."""

    def __init__(self, theme: Theme, offer: Offer, chosen: bool, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent=parent)
        self.offer = offer
        self.setEnabled(not offer.problem)
        self._column.setContentsMargins(12, 8, 12, 9)
        mark: tuple[Part, ...] = (("✓ ", "strong", "accent"),) if chosen else ()
        words: list[Part] = [*mark, (escape_invisible(offer.title), "strong")]
        for text, color in ((offer.does, "soft"), (offer.costs, "soft"), (offer.problem, "warn")):
            if text:
                words += ["\n", (escape_invisible(text), "small", color)]
        self._label.set_words(*words)
        self.setAccessibleName(escape_invisible(f"{offer.title}{', ' + tr('chosen') if chosen else ''}"))
        self.setAccessibleDescription(
            escape_invisible(". ".join(filter(None, (offer.does, offer.costs, offer.problem))))
        )


class ChoicePopup(QFrame):
    """Lists offers over the window; Up and Down move, Enter chooses, Esc closes. Signal: `chosen(value)`."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, title: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self._theme = theme
        self.setAccessibleName(title)
        self.setPalette(theme.palette())
        self._button: QWidget | None = None
        self.rows: list[ChoiceRow] = []
        self._content = QWidget()
        self._list = QVBoxLayout(self._content)
        self._list.setContentsMargins(PAD, PAD, PAD, PAD)
        self._list.setSpacing(4)
        self._area = ScrollArea(theme)
        self._area.set_content(self._content)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.addWidget(self._area)
        self._list.addWidget(WrappedText(theme, title, role="caps", color="soft"))
        self._waiting = WrappedText(theme, tr("Looking for what is here …"), color="soft")
        self._list.addWidget(self._waiting)

    def open_at(self, button: QWidget) -> None:
        """Open above a button, or under it where there is more room, and take the keyboard."""
        self._button = button
        self._place()
        self.show()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def show_offers(self, offers: Sequence[Offer], current: str) -> None:
        """List the offers, with the one in force marked and focused."""
        self._waiting.hide()
        for offer in offers:
            row = ChoiceRow(self._theme, offer, offer.value == current)
            row.clicked.connect(self._picked)
            self._list.addWidget(row)
            row.show()  # now: hidden rows have no height
            self.rows.append(row)
        self._place()
        usable = [each for each in self.rows if each.isEnabled()]
        first = next((each for each in usable if each.offer.value == current), next(iter(usable), None))
        if first is not None:
            first.setFocus(Qt.FocusReason.TabFocusReason)
            self._area.ensureWidgetVisible(first)

    def _picked(self) -> None:
        row = self.sender()
        if isinstance(row, ChoiceRow):
            self.close()
            self.chosen.emit(row.offer.value)

    def _place(self) -> None:
        if self._button is None:
            return
        window = self._button.window()
        screen = window.screen().availableGeometry()
        width = min(window.width() - 2 * EDGE, WIDEST)
        wanted = self._list.heightForWidth(width - 2) + 2
        top = self._button.mapToGlobal(QPoint(0, 0)).y()
        bottom = top + self._button.height()
        above, below = top - GAP - screen.top() - EDGE, screen.bottom() - bottom - GAP - EDGE
        height = min(wanted, max(above, below))
        left = window.mapToGlobal(QPoint(EDGE, 0)).x()
        y = top - GAP - height if above >= min(wanted, below) else bottom + GAP
        self.setGeometry(max(screen.left(), min(left, screen.right() - width)), y, width, height)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event.key() in steps:
            self._move(steps[Qt.Key(event.key())])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            row = QApplication.focusWidget()
            if isinstance(row, ChoiceRow):
                row.click()
        else:
            super().keyPressEvent(event)
            if event.key() == Qt.Key.Key_Escape:
                self.close()

    def _move(self, step: int) -> None:
        usable = [each for each in self.rows if each.isEnabled()]
        if usable:
            now = next((n for n, each in enumerate(usable) if each.hasFocus()), -1)
            row = usable[(now + step) % len(usable)]
            row.setFocus(Qt.FocusReason.TabFocusReason)
            self._area.ensureWidgetVisible(row)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("window"))
        painter.setPen(QPen(QColor(self._theme.color("grip")), 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()
