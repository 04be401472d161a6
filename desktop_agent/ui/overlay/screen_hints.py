"""Shows on the screen itself what the agent does: where the next click lands, what is dragged and typed, a frame meanwhile."""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication

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
from desktop_agent.ui.overlay.hint_pictures import caption, frame, ring, trail
from desktop_agent.ui.overlay.surface_worker import SurfaceWorker
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
