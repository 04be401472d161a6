"""Changes an operation that is asked about: its text in a field, the place of its click in a list or in the picture."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from desktop_agent.protocol.agent_events import ApprovalAsked
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.op_change import Changeable, ChangePart, NearElement, OpChange
from desktop_agent.support.language import later, tr
from desktop_agent.ui.widgets.primitives import SHADOW, Card
from desktop_agent.ui.widgets.scroll_area import ThinBar
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.thumbnails import decode, draw_mark, picture_size
from desktop_agent.ui.widgets.wrapped_button import WrappedButton
from desktop_agent.ui.widgets.wrapped_text import WrappedText

MOST_LINES = 9
_TALLEST = 240
_LABELS: dict[ChangePart, str] = {
    "text": later("Text to type"),
    "target": later("What to open"),
    "command": later("Command"),
    "path": later("File"),
    "content": later("Content"),
    "new": later("New text"),
    "place": later("Where to click"),
}


class ChangeField(QPlainTextEdit):
    """A field of plain text, as high as its lines, up to MOST_LINES."""

    def __init__(self, theme: Theme, name: str, text: str) -> None:
        super().__init__()
        self.setFont(theme.font("mono"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setVerticalScrollBar(ThinBar(theme))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.viewport().setAutoFillBackground(False)
        self.setAccessibleName(name)
        self.setPlainText(text)
        self.shown = self.toPlainText()
        """The text as Qt gives it back: it makes other blanks and line ends of some."""
        lines = min(MOST_LINES, max(2, text.count("\n") + 1 + len(text) // 40))
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + 10)

    def sizeHint(self) -> QSize:
        return QSize(100, self.height())


class PlacePicture(QWidget):
    """The picture of the place, as wide as there is room: a click, or the arrow keys, choose another point of it.

    Signal: `chosen()` when the point has changed.
    """

    chosen = Signal()

    def __init__(self, theme: Theme, jpeg: bytes, region: Rect, at: Point) -> None:
        super().__init__()
        self._theme, self._jpeg, self._region = theme, jpeg, region
        self._whole = picture_size(jpeg)
        self.at: Point | None = at
        """The screen point that is chosen; None where something else is."""
        self._start = at
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(_TALLEST)
        self.setAccessibleName(tr("Picture of the place: click, or move the mark with the arrow keys"))

    def _scale(self) -> float:
        """Of the picture's pixels, so that all of it fits."""
        return min(self.width() / max(1, self._region.width), self.height() / max(1, self._region.height))

    def _left(self) -> float:
        return (self.width() - self._region.width * self._scale()) / 2

    def fit(self, width: int) -> None:
        """Take the height that shows all of it at this width."""
        self.setFixedHeight(min(_TALLEST, round(width * self._region.height / max(1, self._region.width))))

    def choose(self, at: Point | None) -> None:
        """Move the mark to a screen point within the picture; None takes it away."""
        if at is None or self._region.contains(at):
            self.at = at
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        scale = self._scale()
        x, y = (event.position().x() - self._left()) / scale, event.position().y() / scale
        if 0 <= x < self._region.width and 0 <= y < self._region.height:
            self.choose(Point(self._region.x + int(x), self._region.y + int(y)))
            self.chosen.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        ways = {
            Qt.Key.Key_Left: (-step, 0), Qt.Key.Key_Right: (step, 0),
            Qt.Key.Key_Up: (0, -step), Qt.Key.Key_Down: (0, step),
        }  # fmt: skip
        way = ways.get(Qt.Key(event.key()))
        if way is None:
            super().keyPressEvent(event)
            return
        at = self.at or self._start
        self.choose(Point(at.x + way[0], at.y + way[1]))
        self.chosen.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ratio, scale = self.devicePixelRatioF(), self._scale()
        area = QRectF(self._left(), 0, self._region.width * scale, self._region.height * scale)
        size = QSize(round(area.width() * ratio), round(area.height() * ratio))
        painter.drawImage(area, decode(self._jpeg, size))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(
            QPen(self._theme.color("accent" if self.hasFocus() else "line"), 2 if self.hasFocus() else 1)
        )
        painter.drawRect(area.adjusted(1, 1, -1, -1))
        if self.at is not None:
            x, y = (self.at.x - self._region.x + 0.5) * scale, (self.at.y - self._region.y + 0.5) * scale
            draw_mark(painter, self._theme, QPointF(area.x() + x, y), 12, cross=True)
        painter.end()


class ChangeEditor(QWidget):
    """Fields for all that can be changed of a question. Emits no signals; `changes` tells what was changed."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)
        self.fields: list[tuple[Changeable, ChangeField]] = []
        self.picture: PlacePicture | None = None
        self.near: list[WrappedButton] = []
        self._asked: ApprovalAsked | None = None
        self._place: Changeable | None = None
        self._element = ""
        self._moved = False

    def show_asked(self, asked: ApprovalAsked | None) -> None:
        """Make the fields for a question; none for None."""
        while (item := self._column.takeAt(0)) is not None:
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        self.fields, self.near, self.picture = [], [], None
        self._asked, self._place, self._element, self._moved = asked, None, "", False
        for part in asked.changeable if asked is not None else ():
            if part.part != "place":
                self._add_field(part)
            elif self._place is None and asked is not None:
                self._place = part
                self._add_place(asked)

    def _label(self, part: ChangePart) -> str:
        words = tr(_LABELS[part])
        label = WrappedText(self._theme, words, role="small", color="soft")
        self._column.addWidget(label)
        label.show()
        return words

    def _add_field(self, part: Changeable) -> None:
        field = ChangeField(self._theme, self._label(part.part), part.value)
        box = Card(self._theme, "window", "grip", shadow=False)
        box.box.setContentsMargins(7, 4, 7, 4 + SHADOW)
        box.box.addWidget(field)
        self._column.addWidget(box)
        box.show()
        self.fields.append((part, field))

    def _add_place(self, asked: ApprovalAsked) -> None:
        self._label("place")
        if asked.region is not None and asked.at is not None and asked.picture:
            at = Point(asked.region.x + asked.at.x, asked.region.y + asked.at.y)
            self.picture = PlacePicture(self._theme, asked.picture, asked.region, at)
            self.picture.chosen.connect(self._point_chosen)
            self._column.addWidget(self.picture)
            self.picture.show()
        for number, each in enumerate(asked.near, 1):
            button = WrappedButton(self._theme, "plain")
            self._name(button, each, chosen=False)
            button.clicked.connect(partial(self._element_chosen, number - 1))
            self._column.addWidget(button)
            button.show()
            self.near.append(button)

    def _name(self, button: WrappedButton, each: NearElement, *, chosen: bool) -> None:
        mark = "✓" if chosen else each.id
        button.set_words(f"{mark}   {each.words}", tr("Chosen") if chosen else tr("Click instead"))

    def _point_chosen(self) -> None:
        self._moved, self._element = True, ""
        self._show_chosen()

    def _element_chosen(self, number: int, _checked: bool = False) -> None:
        if self._asked is None:
            return
        each = self._asked.near[number]
        self._element = each.id
        if self.picture is not None:
            self.picture.choose(each.area.center)
        self._show_chosen()

    def _show_chosen(self) -> None:
        near = self._asked.near if self._asked is not None else ()
        for each, button in zip(near, self.near, strict=True):
            self._name(button, each, chosen=each.id == self._element)

    @property
    def order(self) -> tuple[QWidget, ...]:
        """All that takes the keyboard, in the order of reading."""
        pictures = (self.picture,) if self.picture is not None else ()
        return (*(field for _, field in self.fields), *pictures, *self.near)

    def begin(self) -> None:
        """Give the keyboard to the first field."""
        for first in self.order[:1]:
            first.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def fit(self, width: int) -> None:
        """Give the picture the height that it needs at this width."""
        if self.picture is not None:
            self.picture.fit(width)

    def heightForWidth(self, width: int) -> int:
        return self._column.heightForWidth(width)

    def changes(self) -> tuple[OpChange, ...]:
        """What is not as it was."""
        made = [
            OpChange(part.index, part.part, text=text)
            for part, field in self.fields
            if (text := field.toPlainText()) != field.shown  # what Qt makes of a text is no change of it
        ]
        if self._place is not None and (self._element or self._moved):
            at = self.picture.at if self.picture is not None and not self._element else None
            made.append(OpChange(self._place.index, "place", element=self._element, at=at))
        return tuple(made)
