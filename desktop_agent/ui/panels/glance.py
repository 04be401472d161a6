"""What a question shows at one glance: where it would be done, and whose words they are."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop_agent.protocol.agent_events import AskedPlace, Whose
from desktop_agent.support.language import later, tr
from desktop_agent.ui.panels.asked_rows_view import host_parts, marked
from desktop_agent.ui.widgets.primitives import Icon
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import Part, WrappedText

_MOST = 3
"""Places shown at a glance; all of them are in the details."""
_WHOSE: dict[Whose, tuple[str, str, str]] = {
    "user": (later("Your own words"), "check", "ok"),
    "model": (later("The model’s own words"), "model", "link"),
    "read": (later("Not your words – read in: {where}"), "warn", "stop"),
}
"""Words, icon and colour token for whose words a text is."""
_TINTS = {"ok": "ok_tint", "link": "accent_tint", "stop": "stop_tint", "warn": "warn_tint"}


class LetterBadge(QWidget):
    """A square with a program's first letter. It stands beside the program's name, and so has none of its own."""

    SIDE = 26

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._letter = theme, ""
        self.setFixedSize(self.SIDE, self.SIDE)

    def show_name(self, name: str) -> None:
        """Show the first letter or digit of a name."""
        self._letter = next((each.upper() for each in name if each.isalnum()), "?")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent_tint"))
        painter.drawRoundedRect(QRectF(self.rect()), 7, 7)
        painter.setFont(self._theme.font("strong"))
        painter.setPen(self._theme.color("link"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._letter)
        painter.end()


class PlaceLine(QWidget):
    """One place: the program's letter, its name and the window's title, and below a page's host with its owner's part."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._badge = LetterBadge(theme)
        self._name = WrappedText(theme, role="small", lines=2)
        self._host = WrappedText(theme, role="small")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(9)
        row.addWidget(self._badge, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout()
        column.setSpacing(1)
        column.addWidget(self._name)
        column.addWidget(self._host)
        row.addLayout(column, 1)

    def show_place(self, place: AskedPlace) -> None:
        """Show it; what is not known is left out."""
        self._badge.show_name(place.program or place.window)
        parts: list[Part] = [(place.program, "strong")] if place.program else []
        if place.window:
            parts += [*((("  ·  "),) if parts else ()), *marked(place.window)]
        self._name.set_words(*parts)
        self._host.set_words(*host_parts(place.site, place.strong))
        self._host.setVisible(bool(place.site))
        self.setVisible(bool(parts or place.site))


class Where(QWidget):
    """The places of a question."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        self.lines = [PlaceLine(theme) for _ in range(_MOST)]
        self._rest = WrappedText(theme, role="small", color="soft")
        for line in self.lines:
            column.addWidget(line)
        column.addWidget(self._rest)

    def show_places(self, places: Sequence[AskedPlace]) -> None:
        """Show the first of them, and how many there are beside; hidden for none."""
        for line, place in zip(self.lines, (*places, *(AskedPlace(),) * _MOST), strict=False):
            line.show_place(place)
        left = len(places) - _MOST
        self._rest.set_words(tr("More places: {n}, see the details").format(n=left))
        self._rest.setVisible(left > 0)
        self.setVisible(bool(places))


class Tag(QWidget):
    """A coloured strip with an icon and words; the colour says nothing that the words do not."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._tone = theme, "ok"
        self._icon = Icon(theme, "check", "ok", 14)
        self.label = WrappedText(theme, role="small")
        row = QHBoxLayout(self)
        row.setContentsMargins(9, 5, 9, 5)
        row.setSpacing(7)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.label, 1)

    def show_words(self, icon: str, tone: str, *parts: Part) -> None:
        """Show words with an icon in the colour of a token; hidden without words."""
        self._tone = tone
        self._icon.set_icon(icon, tone)
        self.label.set_color(tone)
        self.label.set_words(*parts)
        self.setVisible(bool(parts))
        self.update()

    def show_whose(self, whose: Whose, where: str) -> None:
        """Say whose words a text is; hidden where there is no text."""
        if whose == "":
            self.show_words("check", "ok")
            return
        words, icon, tone = _WHOSE[whose]
        before, _, after = tr(words).partition("{where}")
        self.show_words(icon, tone, (before, "strong"), *marked(where), (after, "strong"))

    def sizeHint(self) -> QSize:
        return QSize(120, 28)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(_TINTS.get(self._tone, "warn_tint")))
        painter.drawRoundedRect(QRectF(self.rect()), 8, 8)
        painter.end()
