"""The window's geometry: docked at a screen edge, snapped after a drag, saved between starts."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Literal, TypeAlias

from PySide6.QtCore import QRect, QSettings

from desktop_agent.support.paths import WINDOW_STATE, shortened
from desktop_agent.ui.widgets.theme import MODES, Mode

Side: TypeAlias = Literal["left", "right", "none"]
WIDTH, NARROWEST, WIDEST, LOWEST = 400, 340, 720, 360
GAP = 8
SNAP = 48


def docked(room: QRect, width: int, side: Side) -> QRect:
    """The geometry of a window docked at `side` of the work area `room`, full height, `width` kept within limits."""
    width = max(min(width, room.width() - 2 * GAP, WIDEST), min(NARROWEST, room.width()))
    x = room.left() + GAP if side == "left" else room.left() + room.width() - width - GAP
    return QRect(x, room.top() + GAP, width, room.height() - 2 * GAP)


def snapped(frame: QRect, room: QRect) -> tuple[QRect, Side]:
    """The geometry and side after a drag ended at `frame`: docked when an edge is within SNAP pixels, else floating."""
    left = abs(frame.left() - room.left())
    right = abs(room.left() + room.width() - frame.left() - frame.width())
    if min(left, right) <= SNAP or frame.left() < room.left() or frame.right() > room.right():
        side: Side = "left" if left < right else "right"
        return docked(room, frame.width(), side), side
    return fit_into(frame, room), "none"


def fit_into(frame: QRect, room: QRect) -> QRect:
    """`frame` moved, and shrunk where necessary, so that all of it lies in the work area."""
    width, height = min(frame.width(), room.width()), min(frame.height(), room.height())
    x = min(max(frame.left(), room.left()), room.left() + room.width() - width)
    y = min(max(frame.top(), room.top()), room.top() + room.height() - height)
    return QRect(x, y, width, height)


class WindowIni:
    """Geometry, theme and what is folded, saved in `window.ini` in `folder`. Where nothing can be written nothing is remembered."""

    def __init__(self, folder: Path) -> None:
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._settings = QSettings(shortened(str(folder / WINDOW_STATE)), QSettings.Format.IniFormat)

    def place(self) -> tuple[QRect, Side] | None:
        """The saved geometry and side, or None when nothing valid is saved."""
        frame = self._settings.value("window/frame")
        side = self._settings.value("window/side")
        if not isinstance(frame, QRect) or not frame.isValid() or side not in ("left", "right", "none"):
            return None
        return frame, side

    def save_place(self, frame: QRect, side: Side) -> None:
        """Save the window's geometry and the side it is docked at."""
        self._settings.setValue("window/frame", frame)
        self._settings.setValue("window/side", side)

    @property
    def theme(self) -> Mode:
        """The saved theme, "system" when none is."""
        mode = self._settings.value("window/theme")
        return next((known for known in MODES if known == mode), "system")

    def save_theme(self, mode: Mode) -> None:
        """Save the theme for the next start."""
        self._settings.setValue("window/theme", mode)

    @property
    def actions_folded(self) -> bool:
        """Is the list of actions folded to its heading?"""
        return self._settings.value("window/actions_folded") in (True, "true")

    def save_actions_folded(self, folded: bool) -> None:
        """Save whether the list of actions is folded to its heading."""
        self._settings.setValue("window/actions_folded", folded)

    @property
    def environments_folded(self) -> bool:
        """Is the screen of the environments folded to its heading?"""
        return self._settings.value("window/environments_folded") in (True, "true")

    def save_environments_folded(self, folded: bool) -> None:
        """Save whether the screen of the environments is folded to its heading."""
        self._settings.setValue("window/environments_folded", folded)

    @property
    def welcomed(self) -> bool:
        """Has the first page been finished or skipped?"""
        return self._settings.value("window/welcomed") in (True, "true")

    def save_welcomed(self) -> None:
        """Save that the first page has been finished or skipped."""
        self._settings.setValue("window/welcomed", True)
