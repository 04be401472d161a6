"""A button class painted from the theme, in several kinds, with icon and key cap; and menus under buttons."""

from __future__ import annotations

from typing import Literal, TypeAlias

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QEnterEvent, QFocusEvent, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QWidget

from desktop_agent.ui.widgets.theme import FontRole, Theme
from desktop_agent.ui.widgets.wrapped_text import tool_tip_text

Kind: TypeAlias = Literal["primary", "stop", "plain", "icon", "row", "chip", "head"]
_KEY_FOCUS = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)
# Pixels between a menu and its button, and between a menu and the window's edge.
GAP, EDGE = 4, 11
# Pixels between the text of a `head` button and its focus ring.
INSET = 6
# Beside an icon on the left, in whatever direction the words run.
_BESIDE = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
_FONTS: dict[Kind, FontRole] = {"chip": "small", "row": "body", "head": "caps"}


class Button(QPushButton):
    """A themed button of one `kind`, with optional `icon`, key cap `cap` and accessible `name`.

    Signals: those of QPushButton.
    """

    def __init__(
        self,
        theme: Theme,
        text: str = "",
        kind: Kind = "plain",
        icon: str = "",
        cap: str = "",
        name: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._theme, self._kind, self.icon_name, self._cap = theme, kind, icon, cap
        self._ring = self._inside = False
        self.tone = ""
        self.setFont(theme.font(_FONTS.get(kind, "strong")))
        self.setAccessibleName(name or text)
        if kind == "icon":
            self.setToolTip(tool_tip_text(name))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def setText(self, text: str) -> None:
        """Set the text, and the accessible name where that is the text."""
        if self.accessibleName() == self.text():
            self.setAccessibleName(text)
        super().setText(text)

    def set_icon(self, icon: str, name: str) -> None:
        """Set the icon (a file of assets/icons) and the accessible name, which is the tool tip too."""
        self.icon_name = icon
        self.setAccessibleName(name)
        self.setToolTip(tool_tip_text(name))
        self.update()

    @property
    def kind(self) -> Kind:
        """The kind it is painted as."""
        return self._kind

    def set_kind(self, kind: Kind) -> None:
        """Paint it as another kind; the size stays, so it must be a kind of the same shape."""
        self._kind = kind
        self.update()

    def set_cap(self, cap: str) -> None:
        """Set the text of the key cap; empty for none."""
        self._cap = cap
        self.updateGeometry()
        self.update()

    # ---- geometry -------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        if self._kind == "icon":
            return QSize(30, 32)
        height = 28 if self._kind in ("chip", "head") else 34
        pad = {"chip": 16, "head": 2 * INSET}.get(self._kind, 22)
        return QSize(round(self._content_width() + pad), max(height, self.fontMetrics().height() + 10))

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return QSize(min(hint.width(), 64), hint.height())

    def _cap_width(self) -> float:
        return QFontMetricsF(self._theme.font("cap")).horizontalAdvance(self._cap) + 10 if self._cap else 0

    def _content_width(self) -> float:
        width = QFontMetricsF(self.font()).horizontalAdvance(self.text())
        width += self._cap_width() + (8 if self._cap else 0)
        return width + (20 if self.icon_name and self.text() else 16 if self.icon_name else 0)

    # ---- painting -------------------------------------------------------------------------

    def _colors(self) -> tuple[QColor, QColor, str]:
        """Fill colour, edge colour, and the colour token of text and icon."""
        theme, kind = self._theme, self._kind
        if kind == "primary":
            return theme.color("accent"), theme.color("accent"), "on_accent"
        if kind == "stop":
            return theme.color("stop"), theme.color("stop"), "on_stop"
        if kind in ("icon", "head"):
            return QColor(0, 0, 0, 0), QColor(0, 0, 0, 0), self.tone or "soft"
        edge = theme.color("grip" if kind == "plain" else "line")
        return theme.color("card"), edge, self.tone or ("soft" if kind == "chip" else "ink")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.isEnabled() and self._kind != "head":
            painter.setOpacity(0.45)
        fill, edge, token = self._colors()
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        radius = area.height() / 2 if self._kind == "chip" else 8.0
        painter.setPen(QPen(edge, 1))
        painter.setBrush(fill)
        painter.drawRoundedRect(area, radius, radius)
        self._paint_touch(painter, area, radius, token)
        self._paint_content(painter, token)
        painter.end()

    def _paint_touch(self, painter: QPainter, area: QRectF, radius: float, token: str) -> None:
        """Paint the hover and pressed shade and the focus ring."""
        painter.setPen(Qt.PenStyle.NoPen)
        strong = self._kind in ("primary", "stop")
        if self.isEnabled() and (self._inside or self.isDown()):
            shade = QColor("#ffffff") if strong else self._theme.color("ink")
            shade.setAlphaF((0.16 if strong else 0.07) * (1.7 if self.isDown() else 1))
            painter.setBrush(shade)
            painter.drawRoundedRect(area, radius, radius)
        if self._ring:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            if strong:  # a ring of the words' colour within: the fill's own neighbours may be of any colour
                area, radius = area.adjusted(3, 3, -3, -3), radius - 2.5
            painter.setPen(QPen(self._theme.color(token if strong else "accent"), 2))
            painter.drawRoundedRect(area, radius, radius)

    def _paint_content(self, painter: QPainter, token: str) -> None:
        if self._kind == "head":
            self._paint_head(painter, token)
            return
        left = (self.width() - self._content_width()) / 2
        middle = self.height() / 2
        if self.icon_name:
            size = 18 if self._kind == "icon" or not self.text() else 14
            if not self.text():
                left = (self.width() - size) / 2
            left = max(left, 8) if self.text() else left
            icon = self._theme.icon(self.icon_name, token, size, self.devicePixelRatioF())
            painter.drawPixmap(round(left), round(middle - size / 2), icon)
            left += 20
        if self.text():
            self._paint_text(painter, token, max(left, 8))

    def _paint_head(self, painter: QPainter, token: str) -> None:
        """Paint a `head` button: text, then the fold icon while it is enabled."""
        painter.setFont(self.font())
        painter.setPen(self._theme.color(token))
        words = QFontMetricsF(self.font()).horizontalAdvance(self.text())
        painter.drawText(QRectF(INSET, 0, words + 4, self.height()), _BESIDE, self.text())
        if self.isEnabled():
            icon = self._theme.icon(self.icon_name, token, 14, self.devicePixelRatioF())
            painter.drawPixmap(round(INSET + words + 4), round(self.height() / 2 - 7), icon)

    def _paint_text(self, painter: QPainter, token: str, left: float) -> None:
        painter.setFont(self.font())
        painter.setPen(self._theme.color(token))
        room = self.width() - left - 8 - (self._cap_width() + 8 if self._cap else 0)
        text = QFontMetricsF(self.font()).elidedText(self.text(), Qt.TextElideMode.ElideRight, room + 3)
        area = QRectF(left, 0, room + 6, self.height())
        painter.drawText(area, _BESIDE, text)
        if self._cap:
            width = self._cap_width()
            x = left + QFontMetricsF(self.font()).horizontalAdvance(text) + 8
            self._paint_cap(painter, token, QRectF(x, self.height() / 2 - 9, width, 18))

    def _paint_cap(self, painter: QPainter, token: str, area: QRectF) -> None:
        painter.setFont(self._theme.font("cap"))
        painter.setPen(QPen(self._theme.color(token, 0.75), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(area, 4, 4)
        painter.setPen(self._theme.color(token))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, self._cap)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._inside = True
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._inside = False
        super().leaveEvent(event)
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = event.reason() in _KEY_FOCUS
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._ring = False
        super().focusOutEvent(event)
        self.update()


def open_menu(menu: QMenu, button: Button, above: bool = False) -> None:
    """Open a menu under its button, or above it, moved left so that it stays within the window."""
    window, size = button.window(), menu.sizeHint()
    at = button.mapToGlobal(QPoint(0, -size.height() - GAP if above else button.height() + GAP))
    right = window.mapToGlobal(QPoint(window.width() - EDGE, 0)).x()
    menu.popup(QPoint(min(at.x(), right - size.width()), at.y()))
