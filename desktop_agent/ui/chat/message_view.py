"""One message of the chat: the user's words in a bubble, the agent's as Markdown, folded when they are long."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QEnterEvent,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QSizePolicy, QTextEdit, QVBoxLayout, QWidget

from desktop_agent.protocol.geometry import Rect
from desktop_agent.support.language import later, tr
from desktop_agent.support.terminal_text import visible
from desktop_agent.ui.chat import markdown_document
from desktop_agent.ui.chat.markdown_document import MarkdownDocument, code_at
from desktop_agent.ui.view_model import ChatMessage, Shot
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.primitives import Icon
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.thumbnails import Thumbnail

SHORT = 1_500
# Characters that are laid out in one go when all of a long message is shown.
PART = 3_000
# Room for the ring around the agent's words.
RING = 6
_MARKS = {"done": ("check", "ok"), "stopped": ("stop", "stop"), "error": ("warn", "stop")}
# What the model said; everything else is words of the user or of this program.
_MARKDOWN = frozenset({"agent", "done"})
_WHO = {
    "user": later("You"), "agent": later("Agent"), "plan": later("Plan"), "done": later("Done"),
    "stopped": later("Stopped"), "error": later("Error"),
}  # fmt: skip


class MessageText(QTextEdit):
    """Read-only text that can be selected and copied; its height follows from its width, no scroll bar.

    Signals: `link_pressed(address, place)` on a click on a link, at a place of the screen; `menu_wanted(place)`.
    """

    link_pressed = Signal(str, QPoint)
    menu_wanted = Signal(QPoint)

    def __init__(
        self,
        theme: Theme,
        bubble: bool,
        markdown: bool = False,
        parent: QWidget | None = None,
        *,
        quiet: bool = False,
    ) -> None:
        super().__init__(parent)
        self._theme, self._bubble, self._quiet = theme, bubble, quiet
        self._markdown = MarkdownDocument(theme, self) if markdown else None
        if self._markdown is not None:
            self.setDocument(self._markdown)
        self.setReadOnly(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFont(theme.font("small" if quiet else "body"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)
        self.viewport().setMouseTracking(True)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._text = ""
        self._pressed_link = ""
        self._natural = -1
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
        if self._quiet:
            palette.setColor(QPalette.ColorRole.Text, self._theme.color("soft"))
        self.setPalette(palette)
        if self._markdown is not None and self._text:
            self._markdown.show_markdown(self._text)

    def show_text(self, text: str) -> None:
        """Show `text`. Plain text that begins with what is shown is added to, which keeps the selection."""
        if text == self._text:
            return
        if self._markdown is not None:
            self._markdown.show_markdown(text)
        elif self._text and text.startswith(self._text):
            cursor = QTextCursor(self.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(visible(text[len(self._text) :]))
        else:
            self.setPlainText(visible(text))
        self._text = text
        self._heights.clear()
        self._natural = -1
        self.updateGeometry()

    # ---- geometry -------------------------------------------------------------------------

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if width not in self._heights:
            document = self.document()
            document.setTextWidth(width)
            if document.textWidth() != width:  # the first time the widget has set its own again
                document.setTextWidth(width)
            self._heights[width] = max(self.fontMetrics().height(), round(document.size().height() + 0.5))
            if self.isVisible():
                # Back to what is painted: the layout asks about other widths than the one it settles on.
                document.setTextWidth(self.viewport().width())
        return self._heights[width]

    def natural_width(self) -> int:
        """Width in pixels of the longest line without wrapping (of the first 2000 characters)."""
        if self._natural < 0:
            lines = visible(self._text[:2_000]).split("\n")
            self._natural = max((self.fontMetrics().horizontalAdvance(line) for line in lines), default=0) + 3
        return self._natural

    def sizeHint(self) -> QSize:
        return QSize(self.natural_width(), self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(24, self.fontMetrics().height())

    # ---- the hand -------------------------------------------------------------------------

    def code_at(self, place: QPoint) -> str:
        """The code block at a place of the viewport, "" where there is none."""
        return code_at(self.cursorForPosition(place).block()) if self._markdown is not None else ""

    def links(self) -> list[str]:
        """The addresses of the links, in order, each once."""
        found: dict[str, None] = {}
        block = self.document().begin()
        while block.isValid():
            spans = block.textFormats()
            found |= {span.format.anchorHref(): None for span in spans if span.format.anchorHref()}
            block = block.next()
        return list(found)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed_link = self.anchorAt(event.position().toPoint())
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        link = self.anchorAt(event.position().toPoint())
        left = event.button() == Qt.MouseButton.LeftButton
        if left and link and link == self._pressed_link and not self.textCursor().hasSelection():
            self.link_pressed.emit(link, event.globalPosition().toPoint())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        over = bool(self.anchorAt(event.position().toPoint()))
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.IBeamCursor)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(event.globalPos())

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """What moves neither cursor nor selection belongs to the message."""
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        copying = event.matches(QKeySequence.StandardKey.Copy) and not self.textCursor().hasSelection()
        if copying or (plain and event.key() in MessageView.KEYS):
            event.ignore()
        else:
            super().keyPressEvent(event)


class MessageView(QWidget):
    """Shows one message; more than SHORT characters are folded behind a "Show all" button.

    Signals: `entered(bool)` when the mouse or the keyboard comes and
    goes; `menu_wanted(text, place)`; `copy_wanted()`; `link_pressed(address, place)`.
    """

    KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down)
    entered = Signal(bool)
    menu_wanted = Signal(object, QPoint)
    copy_wanted = Signal()
    link_pressed = Signal(str, QPoint)

    def __init__(self, theme: Theme, message: ChatMessage, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self.message = theme, message
        self.kind = message.kind
        self._user = message.kind == "user"
        self._whole = self._ring = False
        self._shown: tuple[str, bool, bool] | None = None
        self._rest: list[str] = []
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._add_part)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._more: Button | None = None
        self._column = QVBoxLayout(self)
        self._column.setSpacing(6)
        self._column.setContentsMargins(*((13, 9, 13, 9) if self._user else (RING, 3, RING, 3)))
        self.texts = [self._new_text()]
        row = QHBoxLayout()
        row.setSpacing(7)
        if message.kind in _MARKS:
            icon = Icon(theme, *_MARKS[message.kind])
            icon.setFixedHeight(self.text.fontMetrics().height())
            row.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        self._words = QVBoxLayout()
        self._words.setSpacing(6)
        self._words.addWidget(self.text)
        row.addLayout(self._words, 1)
        self._column.addLayout(row)
        if message.pictures:
            self._column.addLayout(self._thumbnails(message))
        self.refresh()

    def _thumbnails(self, message: ChatMessage) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(6)
        for jpeg in message.pictures:
            thumb = Thumbnail(self._theme)
            thumb.show_shot(Shot(jpeg, Rect(0, 0, 1, 1)), None)
            thumb.setAccessibleName(tr("Picture given with the goal"))
            row.addWidget(thumb)
        row.addStretch(1)
        return row

    def _new_text(self) -> MessageText:
        quiet = self.kind == "plan"
        text = MessageText(self._theme, self._user, self.kind in _MARKDOWN, self, quiet=quiet)
        text.link_pressed.connect(self.link_pressed)
        text.menu_wanted.connect(lambda place, text=text: self.menu_wanted.emit(text, place))
        return text

    @property
    def text(self) -> MessageText:
        """The text, or its first part."""
        return self.texts[0]

    @property
    def more(self) -> Button:
        """The button that shows all and less."""
        if self._more is None:
            self._more = Button(self._theme, kind="chip")
            self._more.clicked.connect(self._toggle)
            self._column.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        return self._more

    def refresh(self) -> bool:
        """Update from the message; returns True when its text or state has changed."""
        message = self.message
        shown = (message.text, message.live, self._whole)
        if shown == self._shown or (
            message.live and self.selected
        ):  # a selection under way is not taken away
            return False
        self._shown = shown
        long = len(message.text) > SHORT
        if long or self._more is not None:
            self.more.setVisible(long and not message.live)
            self.more.setText(tr("Show less") if self._whole else tr("Show all"))
        first, *self._rest = self._parts(message)
        self.text.show_text(first)
        self._drop_parts()
        if self._rest:
            self._timer.start()
        self._name()
        return True

    def _parts(self, message: ChatMessage) -> list[str]:
        text = message.text
        if len(text) <= SHORT:
            return [text]
        if message.live:
            return ["… " + markdown_document.tail(text, SHORT)]
        return (
            markdown_document.parts(text, PART)
            if self._whole
            else [markdown_document.head(text, SHORT) + " …"]
        )

    def _name(self) -> None:
        name = f"{tr(_WHO[self.kind])}: {visible(self.message.text[:1_000])}"
        self.setAccessibleName(name)
        self.text.setAccessibleName(name)

    def _drop_parts(self) -> None:
        for text in self.texts[1:]:
            self._words.removeWidget(text)
            text.deleteLater()
        del self.texts[1:]

    def _add_part(self) -> None:
        """Show one more part of a long message; the rest follows when the window has had its turn."""
        if not self._rest:
            return
        text = self._new_text()
        text.show_text(self._rest.pop(0))
        self.texts.append(text)
        self._words.addWidget(text)
        if self._rest:
            self._timer.start()

    def _toggle(self) -> None:
        self._whole = not self._whole
        self.refresh()

    def recolor(self) -> None:
        """Apply the current theme's colours."""
        for text in self.texts:
            text.recolor()

    @property
    def selected(self) -> str:
        """The selected words, "" for none."""
        cursors = (text.textCursor() for text in self.texts)
        return next((each.selection().toPlainText() for each in cursors if each.hasSelection()), "")

    @property
    def busy(self) -> bool:
        """True while something in it has the keyboard or is selected: it must not be taken away then."""
        focus = QApplication.focusWidget()
        return focus is self or (focus is not None and self.isAncestorOf(focus)) or bool(self.selected)

    def preferred_width(self) -> int:
        """Width in pixels with unwrapped lines, padding included."""
        pictures = len(self.message.pictures) * (Thumbnail.SIZE.width() + 6)
        return max(self.text.natural_width(), pictures) + (26 if self._user else 0)

    # ---- the hand -------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(self.text, event.globalPos())

    def enterEvent(self, event: QEnterEvent) -> None:
        self.entered.emit(True)

    def leaveEvent(self, event: QEvent) -> None:
        self.entered.emit(False)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._ring = True
        self.update()
        self.entered.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._ring = False
        self.update()
        self.entered.emit(False)

    # ---- painting -------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._user:
            self._paint_bubble(painter)
        if self._ring:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.color("on_bubble" if self._user else "accent"), 2))
            edge = 3 if self._user else 1
            painter.drawRoundedRect(self.rect().adjusted(edge, edge, -edge, -edge), 8, 8)
        painter.end()

    def _paint_bubble(self, painter: QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("bubble"))
        path = QPainterPath()
        path.addRoundedRect(self.rect(), 12, 12)
        corner = QPainterPath()
        corner.addRoundedRect(self.width() - 14, self.height() - 14, 14, 14, 3, 3)
        painter.drawPath(path.united(corner))


class BubbleRow(QWidget):
    """Places a bubble at the end of the line, as wide as its text and at most SHARE of the width."""

    SHARE = 0.84

    def __init__(self, bubble: MessageView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bubble = bubble
        bubble.setParent(self)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def _width(self, width: int) -> int:
        return min(self.bubble.preferred_width(), round(width * self.SHARE))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self.bubble.heightForWidth(self._width(width))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._place()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place()

    def _place(self) -> None:
        width = self._width(self.width())
        right_to_left = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = 0 if right_to_left else self.width() - width
        self.bubble.setGeometry(left, 0, width, self.bubble.heightForWidth(width))
