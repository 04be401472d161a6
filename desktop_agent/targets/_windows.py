"""The observing half of the Windows desktop."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

import numpy as np

from desktop_agent.platforms.base import Shown, WindowInfo
from desktop_agent.platforms.windows.capture_exclusion import CaptureExclusion
from desktop_agent.platforms.windows.clipboard import WindowsClipboard
from desktop_agent.platforms.windows.desktop_state import check_desktop, is_remote
from desktop_agent.platforms.windows.hint_surface import WindowsHintSurface
from desktop_agent.platforms.windows.input.input import start
from desktop_agent.platforms.windows.integrity_level import has_more_rights, program_of
from desktop_agent.platforms.windows.opener import WindowsOpener
from desktop_agent.platforms.windows.top_windows import TopWindows
from desktop_agent.platforms.windows.user32 import User32
from desktop_agent.protocol.errors import CannotAct
from desktop_agent.protocol.geometry import Geometry, Point, Rect, layout
from desktop_agent.protocol.scene import Scene
from desktop_agent.targets.base import Address
from desktop_agent.targets.faces import (
    Desktop,
    HasHintSurface,
    Rests,
    TellsBusy,
)
from desktop_agent.vision.capture.capture import BYTES, Capture, MssCamera
from desktop_agent.vision.capture.frame import Frame
from desktop_agent.vision.capture.masks import masked
from desktop_agent.vision.elements.reader import ElementReader
from desktop_agent.vision.observation import Element
from desktop_agent.vision.uia.com_client import UiaClient
from desktop_agent.vision.uia.uia_reader import UiaReader

ANSWER_SECONDS = 0.03
"""In which a program that has nothing to do looks for messages."""


class WindowsScreen(Desktop, HasHintSurface, Rests, TellsBusy):
    """The session that this process runs in; usable from several threads, one at a time."""

    kind, title, doubtful = "local", "This desktop", True

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._user32 = User32()
        self._user32.see_every_pixel()
        self._windows = TopWindows(self._user32)
        self._capture = Capture(MssCamera, per_thread=True)
        self._exclusion = CaptureExclusion(self._windows, self._user32)
        self._protected: tuple[int, ...] = ()
        self._reader: ElementReader | None = None
        self._hints: WindowsHintSurface | None = None

    def start(self) -> None:
        check_desktop()

    def address(self) -> Address:
        return Address(self.kind)

    def geometry(self) -> Geometry:
        return layout(self._user32.monitors())

    def observe(self, region: Rect | None = None) -> Frame:
        self.may_look()
        check_desktop()
        with self._lock:
            hidden = self._exclusion.to_paint_over(self._protected)
            frame = self._capture.frame(self.geometry(), region, hidden)
            late = [each for each in self._exclusion.to_paint_over(self._protected) if each not in hidden]
        return usable(masked(frame, late))

    def elements(self) -> Sequence[Element]:
        return self._read(0, self._protected)

    def elements_of(self, pid: int) -> Sequence[Element]:
        return self._read(pid, ())

    def _read(self, only: int, ignored: Collection[int]) -> Sequence[Element]:
        self.may_look()
        with self._lock:
            self._reader = self._reader or UiaReader(UiaClient())
            return self._reader.read(self._windows.stacked(), ignored, only)

    @property
    def elements_missing(self) -> str:
        return self._reader.reason if self._reader else ""

    def unread(self) -> Collection[str]:
        return self._reader.silent if self._reader else ()

    def windows(self) -> Sequence[WindowInfo]:
        return [each for each in self._windows.listed() if each.pid not in self._protected]

    def showing(self, chosen: Callable[[WindowInfo], bool]) -> Sequence[Shown]:
        """Whole windows: what covers them is not looked at, so too much is hidden rather than too little."""
        return [Shown(each, (each.bounds,)) for each in self._windows.stacked() if chosen(each)]

    def clipboard(self) -> WindowsClipboard:
        return WindowsClipboard(self._user32)

    def window_at(self, point: Point) -> WindowInfo | None:
        window = self._user32.window_at(point)
        return self._windows.examine(window) if window else None

    def focused_window(self) -> WindowInfo | None:
        window = self._user32.foreground()
        return self._windows.examine(window) if window else None

    def program_for(self, name: str) -> str:
        return WindowsOpener(os.environ, start).program_for(name)

    def program_of(self, pid: int) -> str:
        return program_of(pid) or super().program_of(pid)

    def programs_named(self, words: str) -> frozenset[str]:
        return WindowsOpener(os.environ, start).programs_named(words)

    def home(self) -> Path:
        return Path.home()

    def pointer(self) -> Point | None:
        return self._user32.pointer()

    def scene(self) -> Scene | None:
        check_desktop()
        return self._windows.scene(self._user32.pointer())

    def busy(self) -> bool:
        window = self._user32.foreground()
        ours = not window or self._user32.owner(window) in self._protected
        return not ours and not self._user32.answers(window, ANSWER_SECONDS)

    def protect(self, pids: Sequence[int]) -> None:
        self._protected = tuple(pids)

    def give_focus_back(self) -> None:
        if self._user32.owner(self._user32.foreground()) not in self._protected:
            return
        # On top of all is the task bar; into a window with more rights nothing can be typed.
        for window in self._windows.applications():
            pid = self._user32.owner(window)
            if pid not in self._protected and not has_more_rights(pid):
                self._windows.activate(window)
                return

    def rest(self) -> None:
        self.stop()

    def hint_surface(self) -> WindowsHintSurface:
        self._hints = self._hints or WindowsHintSurface()
        return self._hints

    def stop(self) -> None:
        with self._lock:
            self._capture.close()
            if self._reader is not None:
                self._reader.close()
                self._reader = None


def usable(frame: Frame) -> Frame:
    """The frame, unless it is that of a remote session that nobody draws. Raises CannotAct."""
    if is_remote() and is_black(frame):
        what = "the picture of this remote session is black"
        raise CannotAct(f"Cannot act here: {what}.", "Restore the Remote Desktop window, then press Resume.")
    return frame


def is_black(frame: Frame) -> bool:
    """Is there nothing on it? Minimised, a Remote Desktop window has its session drawn no more."""
    return not np.frombuffer(frame.pixels, np.uint8).reshape(-1, BYTES)[:, :3].any()
