"""Shows the live picture of a simulated desktop, and passes the person's mouse and keyboard to it as raw events."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCursor,
    QFocusEvent,
    QHideEvent,
    QImage,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop_agent.extras.avis.simulation.drawing.screen import SceneScreen
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.protocol.input_events import (
    Button,
    ButtonDown,
    ButtonUp,
    InputEvent,
    KeyDown,
    KeyUp,
    Move,
    Text,
    Wheel,
)
from desktop_agent.support.language import tr
from desktop_agent.ui.widgets.theme import Theme

QUICK_MS, STILL_MS = 33, 120
"""How often the picture is looked at: while something changes there, and while nothing does."""
LIVELY = 0.7
"""Seconds after a change in which more are expected."""
LOOK_SECONDS = 0.5
"""How often the person's look counts as one where nobody else looks."""


NOTCH = 120
"""Qt's units of one notch of a wheel."""
MOST_TEXT = 32
BUTTONS: dict[Qt.MouseButton, Button] = {
    Qt.MouseButton.LeftButton: "left",
    Qt.MouseButton.MiddleButton: "middle",
    Qt.MouseButton.RightButton: "right",
    Qt.MouseButton.BackButton: "back",
    Qt.MouseButton.ForwardButton: "forward",
}
_KEYS = {
    Qt.Key.Key_Return: "enter", Qt.Key.Key_Enter: "enter", Qt.Key.Key_Backspace: "backspace",
    Qt.Key.Key_Space: "space", Qt.Key.Key_Insert: "insert", Qt.Key.Key_Delete: "delete", Qt.Key.Key_Tab: "tab",
    Qt.Key.Key_Backtab: "tab", Qt.Key.Key_Up: "up", Qt.Key.Key_Down: "down", Qt.Key.Key_Left: "left",
    Qt.Key.Key_Right: "right", Qt.Key.Key_Home: "home", Qt.Key.Key_End: "end", Qt.Key.Key_PageUp: "page_up",
    Qt.Key.Key_PageDown: "page_down", Qt.Key.Key_Escape: "escape",
    **{Qt.Key(Qt.Key.Key_F1 + number): f"f{number + 1}" for number in range(24)},
}  # fmt: skip
_MODIFIERS = {
    Qt.KeyboardModifier.ControlModifier: "ctrl",
    Qt.KeyboardModifier.ShiftModifier: "shift",
    Qt.KeyboardModifier.AltModifier: "alt",
    Qt.KeyboardModifier.MetaModifier: "super",
}


class SceneView(QWidget):
    """The picture of a screen, as large as there is room: each of its pixels as so many whole ones of the display.

    Where there is less room than the picture has pixels it is scaled down. With `works` the person's input goes to the
    desktop; the pointer is the one in the picture. `at_work` says whether somebody else works there now: then only
    clicks and keys move its pointer. With `looks` time passes there by being looked at, as some faults need it.
    `taken_escape` may take an Esc before the desktop gets it. Signal: `changed()` after each change in the picture.
    """

    changed = Signal()

    def __init__(
        self,
        theme: Theme,
        screen: SceneScreen,
        parent: QWidget | None = None,
        *,
        works: bool = True,
        looks: bool = False,
        at_work: Callable[[], bool] = lambda: False,
        taken_escape: Callable[[], bool] = lambda: False,
    ) -> None:
        super().__init__(parent)
        self._theme, self.screen_, self._works, self._looks = theme, screen, works, looks
        self._at_work, self._taken_escape = at_work, taken_escape
        self._image = QImage()
        self._seen = -1
        self._last_change = self._last_look = 0.0
        self._held, self._notches = HeldModifiers(), WheelNotches()
        self._down: set[Qt.MouseButton] = set()
        self._timer = QTimer(self, interval=QUICK_MS)
        self._timer.timeout.connect(self.refresh)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.refresh)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        if not works:
            policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMinimumSize(160, 110)
        self.setAccessibleName(tr("The simulated desktop, live"))
        self.setMouseTracking(works)
        if works:
            self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
            self.setAccessibleDescription(
                tr("Click and type in it as on any desktop. F6 leaves it with the keyboard.")
            )

    # ---- the picture -------------------------------------------------------------------------

    @property
    def image(self) -> QImage:
        """What was drawn last, in the screen's own pixels."""
        return self._image

    @property
    def watching(self) -> bool:
        """Is it looked for changes now?"""
        return self._timer.isActive()

    @property
    def follows_pointer(self) -> bool:
        """Does the pointer in the picture take the place of the usual one?"""
        return self.cursor().shape() == Qt.CursorShape.BlankCursor

    def show_screen(self, screen: SceneScreen) -> None:
        """Show another screen from now on."""
        self.screen_ = screen
        self._seen = -1
        self._held, self._down = HeldModifiers(), set()
        self.updateGeometry()
        self.refresh()

    def refresh(self) -> None:
        """Draw what has changed since the last look."""
        now = time.monotonic()
        looked = self._looks and now - self._last_look >= LOOK_SECONDS
        if looked or self.screen_.newer_than(self._seen):
            self._catch_up(looked)
        if looked:
            self._last_look = now
        lively = self.screen_.desktop.waiting or now - self._last_change < LIVELY
        self._timer.setInterval(QUICK_MS if lively else STILL_MS)

    def _catch_up(self, looked: bool) -> None:
        screen = self.screen_
        with screen.lock:
            if looked:
                screen.desktop.look()
            else:
                screen.desktop.tick()
            self._seen, areas = screen.changes(self._seen)
            size = QSize(screen.size.width, screen.size.height)
            whole = Rect(0, 0, screen.size.width, screen.size.height)
            if self._image.size() != size:
                self._image = QImage(size, QImage.Format.Format_RGB32)
                areas = [whole]
            parts = [(area, screen.pixels_with_pointer(area)) for area in areas if not area.empty]
        if not parts:
            return
        painter = QPainter(self._image)
        for area, pixels in parts:
            part = QImage(pixels, area.width, area.height, area.width * 4, QImage.Format.Format_RGB32)
            painter.drawImage(area.x, area.y, part)
        painter.end()
        self._last_change = time.monotonic()
        for area, _ in parts:
            self.update(self._on_widget(area))
        self.changed.emit()

    def _place(self) -> QRectF:
        """Where the picture is, in the widget's coordinates."""
        size = self.screen_.size
        ratio = self.devicePixelRatioF()
        room = QSizeF(self.size()) * ratio
        scale = min(room.width() / size.width, room.height() / size.height)
        if scale >= 1:
            scale = int(scale)
        shown = QSizeF(size.width * scale, size.height * scale)
        left = int((room.width() - shown.width()) / 2)
        top = int((room.height() - shown.height()) / 2)
        return QRectF(left / ratio, top / ratio, shown.width() / ratio, shown.height() / ratio)

    def _on_widget(self, area: Rect) -> QRect:
        place = self._place()
        scale = place.width() / self.screen_.size.width
        return (
            QRectF(
                place.x() + area.x * scale,
                place.y() + area.y * scale,
                area.width * scale,
                area.height * scale,
            )
            .toAlignedRect()
            .adjusted(-1, -1, 1, 1)
        )

    def to_scene(self, at: QPointF) -> Point | None:
        """The screen's pixel under a point of the widget; None beside the picture."""
        place, size = self._place(), self.screen_.size
        x = int((at.x() - place.x()) * size.width / place.width())
        y = int((at.y() - place.y()) * size.height / place.height())
        return Point(x, y) if place.contains(at) and 0 <= x < size.width and 0 <= y < size.height else None

    def from_scene(self, at: Point) -> QPointF:
        """The point of the widget over the middle of a pixel of the screen."""
        place = self._place()
        scale = place.width() / self.screen_.size.width
        return QPointF(place.x() + (at.x + 0.5) * scale, place.y() + (at.y + 0.5) * scale)

    def sizeHint(self) -> QSize:
        """The picture with one pixel for each."""
        size, ratio = self.screen_.size, self.devicePixelRatioF()
        return QSize(round(size.width / ratio), round(size.height / ratio))

    def hasHeightForWidth(self) -> bool:
        return not self._works

    def heightForWidth(self, width: int) -> int:
        size = self.screen_.size
        return max(1, min(round(width * size.height / size.width), self.sizeHint().height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        place = self._place()
        scale = place.width() * self.devicePixelRatioF() / max(1, self.screen_.size.width)
        smooth = scale != int(scale)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, smooth)
        if not self._image.isNull():
            painter.drawImage(place, self._image)
        focused = self.hasFocus()
        painter.setPen(QPen(self._theme.color("accent" if focused else "line"), 2 if focused else 1))
        painter.drawRect(place.adjusted(-1, -1, 1, 1))
        painter.end()

    # ---- the person --------------------------------------------------------------------------

    def emit_events(self, events: Iterable[InputEvent]) -> None:
        """Give the desktop these events, in one go."""
        with self.screen_.lock:
            for event in events:
                self.screen_.desktop.emit(event)
        self._soon.start()

    def _pointed(self, event: QMouseEvent) -> Point | None:
        """Where the desktop's pointer goes; from beside the picture only while a button is held, to its edge."""
        found = self.to_scene(event.position())
        if found is None and self._down:
            place = self._place()
            at = event.position()
            inside = QPointF(
                min(max(at.x(), place.left()), place.right() - 0.01),
                min(max(at.y(), place.top()), place.bottom() - 0.01),
            )
            found = self.to_scene(inside)
        return found

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = self._pointed(event) if self._works else None
        moves = at is not None and (bool(self._down) or not self._at_work())
        self._show_cursor(hidden=moves)
        if at is not None and moves:
            self.emit_events([Move(at.x, at.y)])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at, button = self.to_scene(event.position()), BUTTONS.get(event.button())
        if not self._works or at is None or button is None:
            super().mousePressEvent(event)
            return
        self._down.add(event.button())
        held = self._held.become(modifiers_of(event.modifiers()))
        self.emit_events([Move(at.x, at.y), *held, ButtonDown(button)])

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Qt's word for a second press: the desktop itself judges whether it is a double click."""
        self.mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() not in self._down:
            return
        at = self._pointed(event)
        self._down.discard(event.button())
        moved = [Move(at.x, at.y)] if at is not None else []
        self.emit_events([*moved, ButtonUp(BUTTONS[event.button()])])

    def wheelEvent(self, event: QWheelEvent) -> None:
        at = self.to_scene(event.position()) if self._works else None
        if at is None:
            event.ignore()
            return
        turned = self._notches.turned(event)
        if turned is not None:
            self.emit_events([Move(at.x, at.y), turned])
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self._show_cursor(hidden=False)
        super().leaveEvent(event)

    def _show_cursor(self, hidden: bool) -> None:
        """The pointer in the picture is the one to follow; beside it the usual one is there."""
        if hidden and not self.follows_pointer:
            self.setCursor(QCursor(Qt.CursorShape.BlankCursor))
        elif not hidden and self.testAttribute(Qt.WidgetAttribute.WA_SetCursor):
            self.unsetCursor()

    def event(self, event: QEvent) -> bool:
        """Tab and the window's shortcuts belong to the desktop, which F6 leaves."""
        if self._works and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                self.keyPressEvent(event)
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._works:
            super().keyPressEvent(event)
            return
        event.accept()
        if event.key() == Qt.Key.Key_F6:
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.focusNextPrevChild(not back)
        elif event.key() == Qt.Key.Key_Escape and self._taken_escape():
            pass
        elif events := list(key_events(event, self._held)):
            self.emit_events(events)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        if self._works and event.commitString():
            self.emit_events(typed(event.commitString()))
        event.accept()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Nothing stays held for whom the release would not come to."""
        if released := list(self._held.become(frozenset())):
            self.emit_events(released)
        super().focusOutEvent(event)
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    # ---- in sight ----------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        self.refresh()
        self._timer.start()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()
        super().hideEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.update()


class HeldModifiers:
    """Which modifiers the desktop believes to be held: it is told only when that matters.

    So none is left held by a release that went to another window.
    """

    def __init__(self) -> None:
        self._held: frozenset[str] = frozenset()

    def become(self, wanted: frozenset[str]) -> Iterator[InputEvent]:
        """Events after which exactly these are held."""
        before, self._held = self._held, wanted
        for name in sorted(before - wanted):
            yield KeyUp(name)
        for name in sorted(wanted - before):
            yield KeyDown(name)


def modifiers_of(held: Qt.KeyboardModifier) -> frozenset[str]:
    """The modifiers of a Qt event by their canonical names."""
    return frozenset(name for flag, name in _MODIFIERS.items() if held & flag)


def key_events(event: QKeyEvent, held: HeldModifiers) -> Iterator[InputEvent]:
    """What a pressed key does on the desktop: the characters it writes, or the key with what is held with it."""
    modifiers, text = modifiers_of(event.modifiers()), event.text()
    third_level = {"ctrl", "alt"} <= modifiers  # AltGr, as Windows tells it
    written = bool(text) and text.isprintable() and (third_level or modifiers <= {"shift"})
    if written and text != " ":  # the space bar is a key that may open or tick something
        yield from held.become(frozenset())
        yield from typed(text)
        return
    name = key_name(event)
    if name:
        yield from held.become(modifiers)
        yield KeyDown(name)
        yield KeyUp(name)


def key_name(event: QKeyEvent) -> str:
    """The canonical name of a key, "" for one that a desktop is not told of by itself."""
    try:
        key = Qt.Key(event.key())
    except ValueError:  # a key that Qt has no name for
        return ""
    if key in _KEYS:
        return _KEYS[key]
    code = int(key)
    return chr(code).lower() if 0x21 <= code <= 0xFF and chr(code).isprintable() else ""


def typed(text: str) -> Iterator[InputEvent]:
    """Text as events, none of them longer than one may be."""
    for start in range(0, len(text), MOST_TEXT):
        yield Text(text[start : start + MOST_TEXT])


class WheelNotches:
    """Whole notches of a wheel, also of one that turns by fractions."""

    def __init__(self) -> None:
        self._x = self._y = 0

    def turned(self, event: QWheelEvent) -> Wheel | None:
        """What the desktop is told; None until a notch is full."""
        turn = event.angleDelta()
        self._x += turn.x()
        self._y += turn.y()
        across, up = int(self._x / NOTCH), int(self._y / NOTCH)
        self._x -= across * NOTCH
        self._y -= up * NOTCH
        return Wheel(-across, up) if across or up else None
