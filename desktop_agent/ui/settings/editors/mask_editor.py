"""The editor of `privacy.regions`: rectangles on a picture of the screen, by mouse and by keyboard, and buttons for those who use no mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop_agent.protocol.geometry import Rect
from desktop_agent.support.language import tr
from desktop_agent.ui.background_work import LatestTask
from desktop_agent.ui.settings.editors.value_editors import Editor
from desktop_agent.ui.settings.options.surroundings import ScreenPicture, Surroundings
from desktop_agent.ui.widgets.buttons import Button
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import WrappedText

REACH = 9.0
"""How near, in device-independent pixels, an edge is taken hold of."""
LEAST = 8
"""Screen pixels a drawn rectangle has at least; what is smaller was a click."""
STEP, FINE = 16, 1
TALLEST = 420
_ARROWS = {
    Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1),
}  # fmt: skip


class MaskEditor(Editor):
    """A canvas with what is selected in words; the picture is taken when the editor is made, and again on demand."""

    wide = True

    def __init__(self, theme: Theme, surroundings: Surroundings) -> None:
        super().__init__()
        self._surroundings = surroundings
        self.canvas = MaskCanvas(theme)
        self.words = WrappedText(theme, self.canvas.words(), role="small", color="soft")
        self.help = WrappedText(
            theme,
            tr(
                "Drag to draw. Keys: N adds, arrows move, Shift+arrows resize, Delete removes, Page Up and Page Down select."
            ),
            role="small",
            color="soft",
        )
        self.add = Button(theme, tr("Add a part"), icon="plus")
        self.remove = Button(theme, tr("Remove it"), icon="close")
        self.renew = Button(theme, tr("New picture"), icon="picture")
        self._lay_out()
        self._work = LatestTask(self)
        self._work.done.connect(self._show)
        self._work.failed.connect(self._show_problem)
        self.canvas.changed.connect(self._tell)
        self.canvas.selected_changed.connect(self._selected)
        self.add.clicked.connect(self.canvas.add)
        self.remove.clicked.connect(self.canvas.remove)
        self.renew.clicked.connect(self.take_picture)
        self.setFocusProxy(self.canvas)
        self._show_without_picture()
        self._selected()
        self.take_picture()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        for button in (self.add, self.remove, self.renew):
            row.addWidget(button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        for part in (self.canvas, self.words):
            column.addWidget(part)
        column.addLayout(row)
        column.addWidget(self.help)

    def take_picture(self) -> None:
        """Take a new picture of the screen, in a thread."""
        take = self._surroundings.picture
        self.renew.setVisible(take is not None)
        if take is not None:
            self._work.run(take)

    def show_value(self, value: Any) -> None:
        self.canvas.show_rects([Rect(*each) for each in value or ()])
        self._selected()

    def _show(self, picture: ScreenPicture) -> None:
        self.canvas.show_picture(QImage.fromData(picture.image), picture.region)

    def _show_problem(self, problem: str) -> None:
        self.words.set_words(tr("No picture of the screen: {problem}").format(problem=problem))

    def _show_without_picture(self) -> None:
        """An empty picture as large as the screen, so that rectangles can be drawn all the same."""
        screen = QGuiApplication.primaryScreen()
        size, ratio = screen.size(), screen.devicePixelRatio()
        self.canvas.show_picture(
            QImage(), Rect(0, 0, round(size.width() * ratio), round(size.height() * ratio))
        )

    def _selected(self) -> None:
        self.words.set_words(self.canvas.words())
        self.remove.setEnabled(self.canvas.selected >= 0)

    def _tell(self) -> None:
        self.edited.emit([[each.x, each.y, each.width, each.height] for each in self.canvas.rects], "")


class _Hold(NamedTuple):
    """What the mouse holds: where it was pressed in screen pixels, the rectangle then, and which edges move."""

    at: QPointF
    before: Rect
    left: bool = False
    top: bool = False
    right: bool = False
    bottom: bool = False

    @property
    def whole(self) -> bool:
        return not (self.left or self.top or self.right or self.bottom)


class MaskCanvas(QWidget):
    """Rectangles are in screen pixels, whatever the picture's size and the display's scale.

    Signal: `changed()` when the user changed a rectangle; `selected_changed()` when another is selected.
    """

    changed = Signal()
    selected_changed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._image = QImage()
        self.region = Rect(0, 0, 1, 1)
        self.rects: list[Rect] = []
        self.selected = -1
        self._hold: _Hold | None = None
        self._drawing = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.CrossCursor)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._name()

    def show_picture(self, image: QImage, region: Rect) -> None:
        """Show a picture of this part of the screen; a null image for none."""
        self._image, self.region = image, region
        self.updateGeometry()
        self.update()

    def show_rects(self, rects: Sequence[Rect]) -> None:
        """Show these rectangles; `changed` is not emitted."""
        if list(rects) != self.rects:
            self.rects = list(rects)
            self.select(min(self.selected, len(self.rects) - 1))

    def select(self, number: int) -> None:
        """Select a rectangle by its number from 0; -1 for none."""
        self.selected = number
        self._name()
        self.update()
        self.selected_changed.emit()

    # ---- geometry -------------------------------------------------------------------------

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return min(TALLEST, max(80, round(width * self.region.height / max(1, self.region.width))))

    def sizeHint(self) -> QSize:
        return QSize(480, self.heightForWidth(480))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 80)

    def picture_area(self) -> QRectF:
        """Where the picture is in the widget: as large as fits, in the middle."""
        room = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        scale = min(room.width() / self.region.width, room.height() / self.region.height)
        width, height = self.region.width * scale, self.region.height * scale
        return QRectF(room.center().x() - width / 2, room.center().y() - height / 2, width, height)

    def to_screen(self, at: QPointF) -> QPointF:
        """A place of the widget in screen pixels, kept within the picture."""
        area, region = self.picture_area(), self.region
        x = (at.x() - area.x()) * region.width / area.width()
        y = (at.y() - area.y()) * region.height / area.height()
        return QPointF(region.x + min(max(0.0, x), region.width), region.y + min(max(0.0, y), region.height))

    def to_widget(self, rect: Rect) -> QRectF:
        """A rectangle of the screen in the widget."""
        area, region = self.picture_area(), self.region
        across, down = area.width() / region.width, area.height() / region.height
        return QRectF(
            area.x() + (rect.x - region.x) * across, area.y() + (rect.y - region.y) * down,
            rect.width * across, rect.height * down,
        )  # fmt: skip

    # ---- the mouse ------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        at = self.to_screen(event.position())
        found = self._at(event.position())
        if found is None:
            x, y = round(at.x()), round(at.y())
            self.rects.append(Rect(x, y, 1, 1))
            self._hold = _Hold(at, Rect(x, y, 0, 0), right=True, bottom=True)
            self._drawing = True
            self.select(len(self.rects) - 1)
            return
        number, edges = found
        self._hold = _Hold(at, self.rects[number], *edges)
        self.select(number)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._hold is None:
            self._show_cursor(event.position())
            return
        at = self.to_screen(event.position())
        by_x, by_y = round(at.x() - self._hold.at.x()), round(at.y() - self._hold.at.y())
        self._put(
            self._moved(self._hold.before, by_x, by_y)
            if self._hold.whole
            else self._pulled(self._hold, by_x, by_y)
        )

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._hold is None:
            return
        held, self._hold = self._hold, None
        now = self.rects[self.selected]
        drawn, self._drawing = self._drawing, False
        if drawn and (now.width < LEAST or now.height < LEAST):
            self.rects.pop(self.selected)
            self.select(-1)
        elif now != held.before:
            self._tell()

    def _at(self, place: QPointF) -> tuple[int, tuple[bool, bool, bool, bool]] | None:
        """The topmost rectangle at a place, the selected one first, and which of its edges are near."""
        order = sorted(range(len(self.rects)), key=lambda number: (number != self.selected, -number))
        for number in order:
            shown = self.to_widget(self.rects[number])
            if shown.adjusted(-REACH, -REACH, REACH, REACH).contains(place):
                near_x = min(REACH, shown.width() / 4 + 2)
                near_y = min(REACH, shown.height() / 4 + 2)
                left, right = place.x() < shown.left() + near_x, place.x() > shown.right() - near_x
                top, bottom = place.y() < shown.top() + near_y, place.y() > shown.bottom() - near_y
                return number, (left, top, right and not left, bottom and not top)
        return None

    def _show_cursor(self, place: QPointF) -> None:
        found = self._at(place)
        shape = Qt.CursorShape.CrossCursor
        if found is not None:
            left, top, right, bottom = found[1]
            shape = (
                Qt.CursorShape.SizeFDiagCursor if (left and top) or (right and bottom)
                else Qt.CursorShape.SizeBDiagCursor if (left and bottom) or (right and top)
                else Qt.CursorShape.SizeHorCursor if left or right
                else Qt.CursorShape.SizeVerCursor if top or bottom
                else Qt.CursorShape.SizeAllCursor
            )  # fmt: skip
        self.setCursor(shape)

    # ---- the keyboard ---------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows move, with Shift they resize, with Ctrl by single pixels; N adds, Delete removes, Page keys select."""
        key, held = event.key(), event.modifiers()
        if key in (Qt.Key.Key_N, Qt.Key.Key_Insert):
            self.add()
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.remove()
        elif key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp) and self.rects:
            self.select((self.selected + (1 if key == Qt.Key.Key_PageDown else -1)) % len(self.rects))
            self._announce()
        elif key in _ARROWS and self.selected >= 0:
            step = FINE if held & Qt.KeyboardModifier.ControlModifier else STEP
            self._nudge(*_ARROWS[Qt.Key(key)], step, resize=bool(held & Qt.KeyboardModifier.ShiftModifier))
        elif key == Qt.Key.Key_Escape and self.selected >= 0:
            self.select(-1)
        else:
            event.ignore()

    def add(self) -> None:
        """Add a rectangle in the middle, a fifth as wide and high as the screen."""
        region = self.region
        width, height = max(LEAST, region.width // 5), max(LEAST, region.height // 5)
        x, y = region.x + (region.width - width) // 2, region.y + (region.height - height) // 2
        self.rects.append(Rect(x, y, width, height))
        self.select(len(self.rects) - 1)
        self._tell()

    def remove(self) -> None:
        """Remove the selected rectangle."""
        if self.selected >= 0:
            self.rects.pop(self.selected)
            self.select(min(self.selected, len(self.rects) - 1))
            self._tell()

    def _nudge(self, across: int, down: int, step: int, *, resize: bool) -> None:
        rect = self.rects[self.selected]
        if resize:
            hold = _Hold(QPointF(), rect, right=bool(across), bottom=bool(down))
            self._put(self._pulled(hold, across * step, down * step))
        else:
            self._put(self._moved(rect, across * step, down * step))
        self._tell()

    # ---- the rectangles -------------------------------------------------------------------

    def _moved(self, rect: Rect, by_x: int, by_y: int) -> Rect:
        region = self.region
        x = min(max(rect.x + by_x, region.x), region.x + region.width - rect.width)
        y = min(max(rect.y + by_y, region.y), region.y + region.height - rect.height)
        return Rect(x, y, rect.width, rect.height)

    def _pulled(self, hold: _Hold, by_x: int, by_y: int) -> Rect:
        """The rectangle with the held edges moved; past the opposite edge it turns over."""
        rect, region = hold.before, self.region
        left, top = rect.x + by_x * hold.left, rect.y + by_y * hold.top
        right, bottom = rect.x + rect.width + by_x * hold.right, rect.y + rect.height + by_y * hold.bottom
        left, right = sorted((left, right))
        top, bottom = sorted((top, bottom))
        left, top = max(left, region.x), max(top, region.y)
        right, bottom = min(right, region.x + region.width), min(bottom, region.y + region.height)
        return Rect(left, top, max(1, right - left), max(1, bottom - top))

    def _put(self, rect: Rect) -> None:
        self.rects[self.selected] = rect
        self._name()
        self.update()
        self.selected_changed.emit()

    def _tell(self) -> None:
        self._announce()
        self.changed.emit()

    def words(self) -> str:
        """Which rectangle is selected and where it is."""
        if not self.rects:
            return tr("Nothing is hidden.")
        if self.selected < 0:
            return tr("Hidden parts: {n}").format(n=len(self.rects))
        rect = self.rects[self.selected]
        return tr("Part {number} of {n}: {width} × {height} at {x}, {y}").format(
            number=self.selected + 1,
            n=len(self.rects),
            width=rect.width,
            height=rect.height,
            x=rect.x,
            y=rect.y,
        )

    def _name(self) -> None:
        self.setAccessibleName(f"{tr('Picture of the screen')}. {self.words()}")

    def _announce(self) -> None:
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.words()))

    # ---- painting -------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, area = self._theme, self.picture_area()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(area, theme.color("line"))
        if not self._image.isNull():
            painter.drawImage(area, self._image)
        for number, rect in enumerate(self.rects):
            self._paint_rect(painter, self.to_widget(rect), str(number + 1), chosen=number == self.selected)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(
            QPen(theme.color("accent" if self.hasFocus() else "grip"), 2 if self.hasFocus() else 1)
        )
        painter.drawRect(area)
        painter.end()

    def _paint_rect(self, painter: QPainter, shown: QRectF, name: str, *, chosen: bool) -> None:
        theme = self._theme
        painter.setPen(QPen(theme.color("accent" if chosen else "on_bubble"), 2.5 if chosen else 1.2))
        painter.setBrush(theme.color("ink" if not theme.dark else "window", 0.86))
        painter.drawRect(shown)
        painter.setPen(theme.color("on_bubble"))
        painter.setFont(theme.font("caps"))
        painter.drawText(shown, Qt.AlignmentFlag.AlignCenter, name)
        if chosen:
            painter.setPen(QPen(theme.color("on_bubble"), 1.2))
            painter.setBrush(theme.color("accent"))
            for corner in (shown.topLeft(), shown.topRight(), shown.bottomLeft(), shown.bottomRight()):
                painter.drawEllipse(corner, 4.5, 4.5)
