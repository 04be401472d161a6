"""Where the window stands: docked at an edge, snapped after a drag, remembered."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Literal, TypeAlias

from PySide6.QtCore import QRect, QSettings

from desktop_agent.support.paths import shortened
from desktop_agent.ui.widgets.theme import MODES, Mode

Side: TypeAlias = Literal["left", "right", "none"]
WIDTH, NARROWEST, WIDEST, LOWEST = 400, 340, 720, 360
GAP = 8
SNAP = 48


def docked(room: QRect, width: int, side: Side) -> QRect:
    """The window at an edge of the work area, as high as it."""
    width = max(min(width, room.width() - 2 * GAP, WIDEST), min(NARROWEST, room.width()))
    x = room.left() + GAP if side == "left" else room.left() + room.width() - width - GAP
    return QRect(x, room.top() + GAP, width, room.height() - 2 * GAP)


def dropped(frame: QRect, room: QRect) -> tuple[QRect, Side]:
    """Where a window comes to rest when it is let go at `frame`: at the nearer edge if that is near."""
    left = abs(frame.left() - room.left())
    right = abs(room.left() + room.width() - frame.left() - frame.width())
    if min(left, right) <= SNAP or frame.left() < room.left() or frame.right() > room.right():
        side: Side = "left" if left < right else "right"
        return docked(room, frame.width(), side), side
    return inside(frame, room), "none"


def inside(frame: QRect, room: QRect) -> QRect:
    """The window moved and, where it must, shrunk so that all of it is in the work area."""
    width, height = min(frame.width(), room.width()), min(frame.height(), room.height())
    x = min(max(frame.left(), room.left()), room.left() + room.width() - width)
    y = min(max(frame.top(), room.top()), room.top() + room.height() - height)
    return QRect(x, y, width, height)


class Memory:
    """Place and theme, kept in `window.ini` in the app's configuration folder."""

    def __init__(self, folder: Path) -> None:
        # Where nothing can be written the window still opens; it only forgets.
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        self._settings = QSettings(shortened(str(folder / "window.ini")), QSettings.Format.IniFormat)

    def place(self) -> tuple[QRect, Side] | None:
        """The last place and edge, or None when nothing usable is remembered."""
        frame = self._settings.value("window/frame")
        side = self._settings.value("window/side")
        if not isinstance(frame, QRect) or not frame.isValid() or side not in ("left", "right", "none"):
            return None
        return frame, side

    def keep_place(self, frame: QRect, side: Side) -> None:
        self._settings.setValue("window/frame", frame)
        self._settings.setValue("window/side", side)

    @property
    def theme(self) -> Mode:
        mode = self._settings.value("window/theme")
        return next((known for known in MODES if known == mode), "system")

    def keep_theme(self, mode: Mode) -> None:
        self._settings.setValue("window/theme", mode)
