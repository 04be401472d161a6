"""The chat: the user's messages in bubbles at the right, the agent's as plain text at the left."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import (
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QTextEdit, QVBoxLayout, QWidget

from desktop_agent.support.terminal_text import visible
from desktop_agent.ui.view_model import ChatMessage, RunView
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.primitives import Icon
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText

SHORT = 1_500
BUILT_AT_ONCE = 8


class MessageText(QTextEdit):
    """Read-only plain text that can be selected and copied; its height follows from its width, no scroll bar."""

    def __init__(self, theme: Theme, bubble: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._bubble = theme, bubble
        self.setReadOnly(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFont(theme.font("body"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._text = ""
        self._heights: dict[int, int] = {}
        self.recolor()

    def recolor(self) -> None:
        """Apply the current theme's colours."""
        palette = self._theme.palette()
        if self._bubble:
            for role, token in (
                (QPalette.ColorRole.Text, "on_bubble"),
                (QPalette.ColorRole.Highlight, "on_bubble"),
                (QPalette.ColorRole.HighlightedText, "bubble"),
            ):
                palette.setColor(role, self._theme.color(token))
        self.setPalette(palette)

    def show_text(self, text: str) -> None:
        """Show `text`; when it begins with the text shown, only the rest is inserted, which keeps the selection."""
        text = visible(text)
        if text == self._text:
            return
        if self._text and text.startswith(self._text):
            cursor = QTextCursor(self.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(text[len(self._text) :])
        else:
            self.setPlainText(text)
        self._text = text
        self._heights.clear()
        self.setAccessibleName(text[:1_000])
        self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            document = self.document()
            document.setTextWidth(width)
            self._heights[width] = max(self.fontMetrics().height(), round(document.size().height() + 0.5))
            # Back to what is painted: the layout asks about other widths than the one it settles on.
            document.setTextWidth(self.viewport().width())
        return self._heights[width]

    def natural_width(self) -> int:
        """Width in pixels of the longest line without wrapping (of the first 2000 characters)."""
        lines = self._text[:2_000].split("\n")
        return max((self.fontMetrics().horizontalAdvance(line) for line in lines), default=0) + 3

    def sizeHint(self) -> QSize:
        return QSize(self.natural_width(), self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(24, self.fontMetrics().height())

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class MessageView(QWidget):
    """Shows one message; more than SHORT characters are folded behind a "Show all" button."""

    def __init__(self, theme: Theme, message: ChatMessage, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._message = theme, message
        self.kind = message.kind
        self._user = message.kind == "user"
        self._whole = False
        self._shown: tuple[str, bool, bool] | None = None
        self.text = MessageText(theme, bubble=self._user)
        self.more = Button(theme, "Show all", kind="chip")
        self.more.clicked.connect(self._toggle)
        column = QVBoxLayout(self)
        column.setSpacing(6)
        column.setContentsMargins(*((13, 9, 13, 9) if self._user else (0, 0, 0, 0)))
        row = QHBoxLayout()
        row.setSpacing(7)
        if message.kind in _MARKS:
            icon = Icon(theme, *_MARKS[message.kind])
            icon.setFixedHeight(self.text.fontMetrics().height())
            row.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.text, 1)
        column.addLayout(row)
        column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self.refresh()

    def refresh(self) -> None:
        """Update from the message if its text or state has changed."""
        text = self._message.text
        shown = (text, self._message.live, self._whole)
        if shown == self._shown:
            return
        self._shown = shown
        long = len(text) > SHORT
        if long and not self._whole:
            text = "… " + text[-SHORT:] if self._message.live else text[:SHORT].rstrip() + " …"
        self.more.setVisible(long and not self._message.live)
        self.more.setText("Show less" if self._whole else "Show all")
        who = {"user": "You", "agent": "Agent"}.get(self._message.kind, self._message.kind.capitalize())
        self.text.show_text(text)
        self.text.setAccessibleName(f"{who}: {text[:1_000]}")

    def _toggle(self) -> None:
        self._whole = not self._whole
        self.refresh()

    def preferred_width(self) -> int:
        """Width in pixels with unwrapped lines, padding included."""
        return self.text.natural_width() + (26 if self._user else 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._user:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("bubble"))
        path = QPainterPath()
        path.addRoundedRect(self.rect(), 12, 12)
        corner = QPainterPath()
        corner.addRoundedRect(self.width() - 14, self.height() - 14, 14, 14, 3, 3)
        painter.drawPath(path.united(corner))
        painter.end()


_MARKS = {"done": ("check", "ok"), "stopped": ("stop", "stop"), "error": ("warn", "stop")}


class Chat(QWidget):
    """Lists the messages of a RunView; says so when the oldest are no longer shown (MAX_MESSAGES)."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._views: dict[int, tuple[QWidget, MessageView]] = {}
        self._wanted: list[ChatMessage] = []
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._build)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(12)
        self._left_out = WrappedText(
            theme, "Earlier messages are in the run’s log.", role="small", color="soft"
        )
        self._left_out.hide()
        self._column.addWidget(self._left_out)

    def recolor(self) -> None:
        """Apply the current theme's colours to all messages."""
        for _, view in self._views.values():
            view.text.recolor()

    def show_messages(self, view: RunView) -> None:
        """Show the view's messages; new ones are built a few at a time."""
        self._wanted = list(view.messages)
        self._left_out.setVisible(view.said > len(view.messages))
        self.setVisible(bool(view.messages))
        self._build()

    def _build(self) -> None:
        """Update the messages, at most BUILT_AT_ONCE new ones in one pass, so that a flood does not block the window."""
        keys = {message.key for message in self._wanted}
        for key in [key for key in self._views if key not in keys]:
            holder, _ = self._views.pop(key)
            self._column.removeWidget(holder)
            holder.deleteLater()
        missing = [message for message in self._wanted if message.key not in self._views]
        for _, shown in self._views.values():
            shown.refresh()
        for message in missing[:BUILT_AT_ONCE]:
            self._add(message)
        if len(missing) > BUILT_AT_ONCE:
            self._timer.start()

    def _add(self, message: ChatMessage) -> None:
        bubble = MessageView(self._theme, message)
        holder = RightAligned(bubble) if message.kind == "user" else bubble
        self._column.addWidget(holder)
        self._views[message.key] = (holder, bubble)


class RightAligned(QWidget):
    """Aligns a bubble to the right, as wide as its text and at most SHARE of the width."""

    SHARE = 0.84

    def __init__(self, bubble: MessageView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bubble = bubble
        bubble.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def _width(self, width: int) -> int:
        return min(self._bubble.preferred_width(), round(width * self.SHARE))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._bubble.heightForWidth(self._width(width))

    def sizeHint(self) -> QSize:
        return QSize(120, self.heightForWidth(max(120, self.width())))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 20)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._place()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place()

    def _place(self) -> None:
        width = self._width(self.width())
        self._bubble.setGeometry(self.width() - width, 0, width, self._bubble.heightForWidth(width))
