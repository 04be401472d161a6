"""A label whose text always wraps, with key caps and bold parts; and escaping of text from untrusted sources."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Sequence
from typing import TypeAlias, cast

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QTextCharFormat, QTextLayout, QTextLine, QTextOption
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyle, QWidget

from desktop_agent.support.terminal_text import visible
from desktop_agent.ui.widgets.theme import FontRole, Look, Theme

CAP_PAD = "\u202f"
BREAK, JOIN = "\u200b", "\u2060"
"""Where a line may be broken, and where not, whatever stands there."""
CHARS_A_LINE = 160
MOST_WIDTHS = 6
TIP_LENGTH = 2_000


def tool_tip_text(text: str) -> str:
    """Escape text for a tool tip, so that Qt does not interpret it as rich text; cut to TIP_LENGTH characters."""
    return f"<p style='white-space: pre-wrap'>{html.escape(text[:TIP_LENGTH])}</p>" if text else ""


def escape_invisible(text: str) -> str:
    """Replace invisible characters (control, format, bidirectional, unassigned) by names such as ‹U+202E›."""
    return "".join(
        f"‹U+{ord(c):04X}›" if unicodedata.category(c) in ("Cc", "Cf", "Co", "Cn", "Cs") and c != "\n" else c
        for c in text
    )


Part: TypeAlias = str | tuple[str, FontRole] | tuple[str, FontRole, str]
"""A part of a label: its text, and perhaps a font role and a colour token of its own."""


class WrappedText(QLabel):
    """A label of wrapped plain text, never interpreted as rich text.

    `lines` > 0 ends the text after so many lines with an ellipsis and puts the whole into the tool tip.
    `hang` is the hanging indent of a paragraph's later lines, as wide as these characters. A part that ends with a tab
    is the mark before a paragraph.
    """

    def __init__(
        self,
        theme: Theme,
        text: str = "",
        role: FontRole = "body",
        color: str = "ink",
        lines: int = 0,
        right: bool = False,
        hang: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._role, self._color, self._lines, self._hang = theme, role, color, lines, hang
        self._spans: list[tuple[int, int, FontRole, str]] = []
        self._layouts: dict[tuple[int, Look], tuple[QTextLayout, float]] = {}
        self.setFont(theme.font(role))
        self.setAlignment(
            (Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft)
            | Qt.AlignmentFlag.AlignVCenter
        )
        self.setTextFormat(Qt.TextFormat.PlainText)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.set_words(text)

    def set_words(self, *parts: Part) -> None:
        """Set the text in parts; a part given with a font role is set in that font (`cap` draws a key cap).

        Whoever the text comes from: its invisible and bidirectional characters are shown by their names.

        A part may also have a colour token of its own.
        """
        words: list[str] = []
        length = 0
        self._spans = []
        for part in parts:
            said, role, color = (part, None, "") if isinstance(part, str) else (*part, "")[:3]
            is_mark = bool(self._hang) and said.endswith("\t")
            each = visible(said[:-1]) + "\t" if is_mark else visible(said)
            if role == "cap":  # not broken at its blanks and hyphens, but before and after
                each = CAP_PAD + each.replace(" ", "\u00a0").replace("-", "-" + JOIN) + CAP_PAD
                words.append(BREAK)
                length += 1
            if role is not None:
                self._spans.append((length, len(each), role, color))
            words.append(each + BREAK * (role == "cap"))
            length += len(words[-1])
        text = "".join(words)
        self._layouts.clear()
        self.setText(text)
        self.setAccessibleName(" ".join(text.replace(BREAK, "").replace(JOIN, "").split()))
        self.updateGeometry()
        self.update()

    def set_color(self, token: str) -> None:
        """Set the colour token of the text."""
        self._color = token
        self.update()

    def set_role(self, role: FontRole) -> None:
        """Set the font role of the text."""
        if role != self._role:
            self._role = role
            self._layouts.clear()
            self.setFont(self._theme.font(role))

    def set_lines(self, lines: int) -> None:
        """Set after how many lines the text is cut; 0 for never."""
        self._lines = lines
        self._layouts.clear()
        self.updateGeometry()
        self.update()

    # ---- geometry -------------------------------------------------------------------------

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(self._laid_out(width)[1] + 0.5)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        first = max(self.text()[:500].split("\n"), key=len, default="")
        return QSize(metrics.horizontalAdvance(first) + 4, metrics.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(24, self.fontMetrics().height())

    def _laid_out(self, width: int) -> tuple[QTextLayout, float]:
        """The text layout and its height at `width`; cached, as Qt's layouts ask about several widths in turn."""
        key = (width, self._theme.look)  # parts have colours of their own
        if key not in self._layouts:
            text = self.text()
            if self._lines and len(text) > self._lines * CHARS_A_LINE:
                text = text[: self._lines * CHARS_A_LINE] + "…"
            layout, height, rest = self._break(text, width)
            if rest is not None:
                layout, height, _ = self._break(self._elided(text, rest, width), width)
            self.setToolTip(tool_tip_text(self.text()) if rest is not None or text != self.text() else "")
            if len(self._layouts) >= MOST_WIDTHS:
                self._layouts.clear()
            self._layouts[key] = (layout, height)
        return self._layouts[key]

    def _break(self, text: str, width: int) -> tuple[QTextLayout, float, int | None]:
        """Lay out `text`: layout, height, and the start of the last allowed line when there is more text, else None."""
        layout = QTextLayout(text.replace("\n", "\u2028"), self.font())
        side = QStyle.visualAlignment(self.layoutDirection(), self.alignment())
        option = QTextOption(side & Qt.AlignmentFlag.AlignHorizontal_Mask)
        option.setTextDirection(
            Qt.LayoutDirection.LayoutDirectionAuto
        )  # the words' own, on the window's side
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        hang = self.fontMetrics().horizontalAdvance(self._hang)
        if hang:
            option.setTabStopDistance(hang)
        layout.setTextOption(option)
        layout.setFormats(self._formats())
        layout.beginLayout()
        from_right = side & Qt.AlignmentFlag.AlignRight
        height, count, start = 0.0, 0, 0
        while (line := layout.createLine()).isValid():
            if self._lines and count == self._lines:
                return layout, height, start
            indent = hang if line.textStart() and text[line.textStart() - 1] != "\n" else 0
            line.setLineWidth(max(1, width - indent))
            line.setPosition(QPointF(0 if from_right else indent, height))
            height += self._leading(line)
            count, start = count + 1, line.textStart()
        layout.endLayout()
        return layout, height, None

    def _leading(self, line: QTextLine) -> float:
        return max(line.height(), self.fontMetrics().height()) * (1.12 if self._role != "caps" else 1.0)

    def _elided(self, text: str, start: int, width: int) -> str:
        tail = text[start : start + CHARS_A_LINE].replace("\n", " ").replace("\u2028", " ").rstrip("…") + " …"
        last = self.fontMetrics().elidedText(tail + "…" * 2, Qt.TextElideMode.ElideRight, width - 4)
        return text[:start] + last.rstrip("… ") + "…"

    def _formats(self) -> Sequence[QTextLayout.FormatRange]:
        ranges = []
        for start, length, role, color in self._spans:
            item = QTextLayout.FormatRange()
            item.start, item.length = start, length
            form = QTextCharFormat()
            form.setFont(self._theme.font(role))
            if color:
                form.setForeground(self._theme.color(color))
            item.format = form
            ranges.append(item)
        return ranges

    # ---- painting -------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self._theme.color(self._color))
        layout, height = self._laid_out(self.width())
        top = round(max(0.0, (self.height() - height) / 2))
        painter.translate(0, top)
        layout.draw(painter, QPointF(0, 0), [], QRectF(event.rect()).translated(0, -top))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for start, length, role, color in self._spans:
            if role == "cap" and self._in_sight(layout, start, event.rect().translated(0, -top)):
                painter.setPen(QPen(self._theme.color(color or self._color, 0.7), 1))
                self._draw_cap(painter, layout, start, start + length)
        painter.end()

    @staticmethod
    def _in_sight(layout: QTextLayout, start: int, area: QRect) -> bool:
        line = layout.lineForTextPosition(start)
        return line.isValid() and line.y() <= area.bottom() and line.y() + 3 * line.height() >= area.top()

    @staticmethod
    def _draw_cap(painter: QPainter, layout: QTextLayout, start: int, end: int) -> None:
        """Frame a cap; one that is wider than its label has a frame on each of its lines."""
        while start < end and (line := layout.lineForTextPosition(start)).isValid():
            stop = min(end, line.textStart() + line.textLength())
            left, right = _cursor_x(line, start), _cursor_x(line, stop)
            painter.drawRoundedRect(
                QRectF(left + 0.5, line.y() + 1.5, right - left - 1, line.height() - 2), 4, 4
            )
            start = max(stop, start + 1)


def _cursor_x(line: QTextLine, position: int) -> float:
    """The x coordinate of a text position; PySide returns (x, position), contrary to its annotation."""
    return cast(tuple[float, int], line.cursorToX(position))[0]
