"""Shows on the screen itself what the agent does: where the next click lands, what is dragged and typed, a frame meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import ceil, hypot

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QImage, QPainter, QPen

from desktop_agent.agent.port import AgentPort
from desktop_agent.platforms.base import HintPicture, HintSurface
from desktop_agent.protocol.agent_events import (
    Error,
    FeedEvent,
    GoalReached,
    LookTaken,
    Result,
    State,
    Status,
    Upcoming,
)
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.ui.shell.device_pixels import screen_pixels
from desktop_agent.ui.view_model import WORKING
from desktop_agent.ui.widgets.theme import Theme
from desktop_agent.ui.widgets.wrapped_text import escape_invisible

HAS_INPUT: frozenset[State] = frozenset({"planning", "executing"})
"""In these states the agent works mouse and keyboard; paused and asking it does not."""
SECONDS = 0.22
"""In which a ring contracts onto its place."""
WIDE, NARROW = 46.0, 15.0
FRAME_MS, LINGER_MS = 33, 450
EDGE = 9  # kept free along the edges of the screen
WITHOUT_RING = frozenset({"type", "key_combo", "key_down", "key_up", "open"})
WITH_WORDS = WITHOUT_RING | {"scroll", "scroll_element", "drag", "drag_element"}
SILENT = frozenset({"wait", "release_all", "read"})


RIM, LIGHT, ACCENT = QColor("#0b1220"), QColor("#ffffff"), QColor("#2f6bff")
PILL = QColor("#1b1f27")
RING_WIDTHS = ((RIM, 7.0), (LIGHT, 5.4), (ACCENT, 3.0))
DOT, DOT_GAP, MOST_DOTS = 4.0, 22.0, 40
FRAME_LINES = ((ACCENT, 3), (LIGHT, 1))
CAPTION_GAP, CAPTION_PADDING, CAPTION_WIDEST, CAPTION_FONT = 26, 11, 420, 13


END_SECONDS = 2.0


class ScreenHints(QObject):
    """Keeps the hints up to date from the agent's events.

    Each run asks `port` anew for the surface, as the next may work elsewhere; where there is none nothing is shown. It is
    opened when the run has looked at the screen: nothing is done before, and the first look need not wait for it. Used in
    the UI thread. Signals: `working(under_way)` when a run begins or ends; `switched(on)` when they were switched on or off;
    `trouble(words)` when there can be none here.
    """

    working = Signal(bool)
    switched = Signal(bool)
    trouble = Signal(str)

    def __init__(
        self,
        port: AgentPort,
        theme: Theme,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._port, self._theme, self.on = port, theme, True
        self._surface: HintSurface | None = None
        self._state: State = "idle"
        self._screens: tuple[tuple[Rect, float], ...] = ()
        """The bounds and the scale of each."""
        self._worker: SurfaceWorker | None = None
        self._last: SurfaceWorker | None = None
        self._looked = False
        self._upcoming: Upcoming | None = None
        self._since = 0.0
        self._motion = QTimer(self, interval=FRAME_MS)
        self._motion.timeout.connect(self._draw)
        self._rest = QTimer(self, singleShot=True, interval=LINGER_MS)
        self._rest.timeout.connect(self._forget)

    def switch(self, on: bool | None = None) -> None:
        """Switch the hints on or off, for None to what they are not."""
        on = not self.on if on is None else on
        if on == self.on:
            return
        self.on = on
        self._update()
        self.switched.emit(on)

    def apply(self, events: Sequence[FeedEvent]) -> None:
        """Show what these events tell."""
        worked = self._state in WORKING
        for event in events:
            match event:
                case Status(state=state):
                    self._state = state
                case GoalReached() | Error():
                    self._state = "done"
                case LookTaken():
                    self._looked = True
                case Upcoming() if event.op not in SILENT:
                    self._upcoming, self._since = event, time.monotonic()
                    self._rest.stop()
                case Result() if self._upcoming is not None:
                    self._rest.start()
        works = self._state in WORKING
        if works and not worked:
            self._surface = self._port.hint_surface()
        self._looked = self._looked and works
        self._update()
        if worked != works:
            self.working.emit(not worked)

    def close(self) -> None:
        """Remove all hints for good."""
        self._state = "idle"
        self._update()
        if self._last is not None:
            self._last.join()

    # ---- what is shown ------------------------------------------------------------------------

    def _update(self) -> None:
        if not self.on or self._state not in WORKING:
            self._shut()
            return
        if self._state not in HAS_INPUT:
            self._upcoming = None
        if self._worker is None and self._surface is not None and self._looked:
            self._worker = SurfaceWorker(self._surface, self.trouble.emit, self._last)
        self._draw()

    def _shut(self) -> None:
        self._motion.stop()
        self._upcoming = None
        if self._worker is not None:
            self._worker.close()
            self._last, self._worker = self._worker, None

    def _draw(self) -> None:
        if self._worker is None:
            return
        self._screens = tuple(
            (screen_pixels(each), each.devicePixelRatio()) for each in QGuiApplication.screens()
        )
        pictures: dict[str, HintPicture] = {}
        if self._state in HAS_INPUT and self._screens:
            self._add_frames(pictures)
            if self._upcoming is not None:
                self._add_hint(pictures, self._upcoming)
        self._worker.show(self._screens, pictures)

    def _add_frames(self, pictures: dict[str, HintPicture]) -> None:
        region = self._port.info.region
        for number, (area, ratio) in enumerate(self._screens):
            around = area if region is None else area.intersection(region)
            for side, strip in enumerate(frame(around, ratio)):
                pictures[f"frame {number} {side}"] = strip

    def _add_hint(self, pictures: dict[str, HintPicture], upcoming: Upcoming) -> None:
        room, ratio = self._room(upcoming.at)
        if upcoming.at is not None and upcoming.op not in WITHOUT_RING:
            self._add_ring(pictures, upcoming.at, upcoming.to, ratio)
        else:
            self._motion.stop()
        margin = round(EDGE * ratio)
        if upcoming.op in WITH_WORDS and upcoming.words:
            place = upcoming.to or upcoming.at or Point(room.center.x, room.bottom - round(90 * ratio))
            room = room.grown(-margin, -margin)
            words = escape_invisible(upcoming.words).replace("\n", " ")
            pictures["caption"] = caption(words, place, room, self._theme.font("body"), ratio)

    def _add_ring(self, pictures: dict[str, HintPicture], at: Point, to: Point | None, ratio: float) -> None:
        moves = self._surface is None or self._surface.animated
        gone = min(1.0, (time.monotonic() - self._since) / SECONDS) if moves else 1.0
        radius = NARROW + (WIDE - NARROW) * (1 - gone) ** 2
        pictures["ring"] = ring(at, radius, ratio)
        if to is not None:
            pictures["end"] = ring(to, NARROW, ratio)
            pictures |= {f"dot {index}": dot for index, dot in enumerate(trail(at, to, ratio))}
        if gone < 1.0 and not self._motion.isActive():
            self._motion.start()
        elif gone >= 1.0:
            self._motion.stop()

    def _room(self, at: Point | None) -> tuple[Rect, float]:
        """The screen that a point is on, else the first, and its scale."""
        return next((each for each in self._screens if at and each[0].contains(at)), self._screens[0])

    def _forget(self) -> None:
        self._upcoming = None
        self._motion.stop()
        self._draw()


# Each has a dark rim, a white line and the accent colour, so that it can be told from light and from dark alike, and
# looks the same where a pixel is either drawn or not.
@lru_cache(maxsize=64)
def _ring(radius: float, ratio: float) -> QImage:
    half = ceil((radius + RING_WIDTHS[0][1] / 2 + 1) * ratio)
    image = _empty(2 * half, 2 * half)
    painter = _painter(image)
    for color, width in RING_WIDTHS:
        painter.setPen(QPen(color, width * ratio))
        painter.drawEllipse(QPointF(half, half), radius * ratio, radius * ratio)
    painter.end()
    return image


@lru_cache(maxsize=8)
def _dot(ratio: float) -> QImage:
    half = ceil((DOT + 1) * ratio)
    image = _empty(2 * half, 2 * half)
    painter = _painter(image)
    painter.setPen(Qt.PenStyle.NoPen)
    for color, radius in ((RIM, DOT), (LIGHT, DOT - 0.8), (ACCENT, DOT - 1.8)):
        painter.setBrush(color)
        painter.drawEllipse(QPointF(half, half), radius * ratio, radius * ratio)
    painter.end()
    return image


def ring(at: Point, radius: float, ratio: float) -> HintPicture:
    """A ring around a point."""
    return _around(at, _ring(round(radius * 2) / 2, ratio))


def trail(start: Point, end: Point, ratio: float) -> list[HintPicture]:
    """Dots from one point to another, both left free."""
    length = hypot(end.x - start.x, end.y - start.y)
    count = min(MOST_DOTS, int(length / (DOT_GAP * ratio)))
    steps = (each / (count + 1) for each in range(1, count + 1))
    places = (Point(round(start.x + (end.x - start.x) * s), round(start.y + (end.y - start.y) * s)) for s in steps)  # fmt: skip
    return [_around(each, _dot(ratio)) for each in places]


def caption(words: str, at: Point, room: Rect, font: QFont, ratio: float) -> HintPicture:
    """Words on a dark pill below a point, above it where there is no room below; too long ones are cut."""
    image = _caption(words, font.family(), ratio)
    width, height, gap = image.width(), image.height(), round(CAPTION_GAP * ratio)
    x = min(max(at.x - width // 2, room.x), room.right - width)
    y = at.y + gap if at.y + gap + height <= room.bottom else at.y - gap - height
    return _picture(image, x, y)


@lru_cache(maxsize=8)
def _caption(words: str, family: str, ratio: float) -> QImage:
    font = QFont(family)
    font.setPixelSize(round(CAPTION_FONT * ratio))
    metrics = QFontMetricsF(font)
    padding = CAPTION_PADDING * ratio
    text = metrics.elidedText(words, Qt.TextElideMode.ElideRight, CAPTION_WIDEST * ratio)
    size = QRectF(0, 0, ceil(metrics.horizontalAdvance(text) + 2 * padding), ceil(metrics.height() + padding))
    image = _empty(round(size.width()), round(size.height()))
    painter = _painter(image)
    line = 1.5 * ratio
    painter.setPen(QPen(LIGHT, line))
    painter.setBrush(PILL)
    inner = size.adjusted(line, line, -line, -line)
    painter.drawRoundedRect(inner, inner.height() / 2, inner.height() / 2)
    painter.setPen(LIGHT)
    painter.setFont(font)
    painter.drawText(size, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextSingleLine, text)
    painter.end()
    return image


@lru_cache(maxsize=8)
def frame(around: Rect, ratio: float) -> list[HintPicture]:
    """A thin frame inside the edges of an area: its top, bottom, left and right."""
    widths = [(color, max(1, round(width * ratio))) for color, width in FRAME_LINES]
    thick = sum(width for _, width in widths)
    if around.width <= 2 * thick or around.height <= 2 * thick:
        return []
    low = Rect(around.x, around.y + thick, thick, around.height - 2 * thick)
    return [
        _strip(Rect(around.x, around.y, around.width, thick), around, widths),
        _strip(Rect(around.x, around.bottom - thick, around.width, thick), around, widths),
        _strip(low, around, widths),
        _strip(low.moved(around.width - thick, 0), around, widths),
    ]


def _strip(place: Rect, around: Rect, widths: list[tuple[QColor, int]]) -> HintPicture:
    image = _empty(place.width, place.height)
    painter = QPainter(image)
    inset = 0
    for color, width in widths:
        inner = around.grown(-inset, -inset).moved(-place.x, -place.y)
        painter.fillRect(inner.x, inner.y, inner.width, inner.height, color)
        inset += width
    painter.end()
    return _picture(image, place.x, place.y)


def _empty(width: int, height: int) -> QImage:
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    return image


def _painter(image: QImage) -> QPainter:
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return painter


def _around(at: Point, image: QImage) -> HintPicture:
    return _picture(image, at.x - image.width() // 2, at.y - image.height() // 2)


def _picture(image: QImage, x: int, y: int) -> HintPicture:
    return HintPicture(Rect(x, y, image.width(), image.height()), bytes(image.constBits()))


class SurfaceWorker:
    """Opens the surface, shows what was asked for last, and closes it at the end; for one run.

    `tell(why)` is called on the thread when there can be no hints: then everything asked for is ignored.
    """

    def __init__(
        self, surface: HintSurface, tell: Callable[[str], None], after: SurfaceWorker | None = None
    ) -> None:
        """It begins when `after`, the one of the run before, has ended."""
        self._surface, self._tell, self._after = surface, tell, after
        self._news = threading.Condition()
        self._wanted: tuple[object, Mapping[str, HintPicture]] | None = None
        self._ended = False
        self._thread = threading.Thread(target=self._work, name="hints", daemon=True)
        self._thread.start()

    def show(self, screens: object, pictures: Mapping[str, HintPicture]) -> None:
        """Show exactly these soon; returns at once. The surface is opened anew where `screens` are others than before."""
        with self._news:
            self._wanted = (screens, pictures)
            self._news.notify()

    def close(self) -> None:
        """Remove everything; safe to call twice."""
        with self._news:
            self._ended = True
            self._news.notify()

    def join(self) -> None:
        """Wait until all is removed, END_SECONDS at most."""
        self._thread.join(END_SECONDS)

    def _work(self) -> None:
        if self._after is not None:
            self._after.join()
            self._after = None
        opened: object = None
        while (wanted := self._next()) is not None:
            screens, pictures = wanted
            if screens != opened:
                self._surface.close()
                opened = screens
                if why := self._surface.open():
                    self._tell(why)
                    break
            self._surface.show(pictures)
        self._surface.close()

    def _next(self) -> tuple[object, Mapping[str, HintPicture]] | None:
        """What is to be shown next; None at the end."""
        with self._news:
            self._news.wait_for(lambda: self._ended or self._wanted is not None)
            wanted, self._wanted = self._wanted, None
            return None if self._ended else wanted
