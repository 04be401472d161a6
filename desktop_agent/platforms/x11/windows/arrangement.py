"""Reads how the windows of an X display stand, and has the window manager put them back so (EWMH, ICCCM)."""

from __future__ import annotations

from collections.abc import Collection

from desktop_agent.platforms.base import Standing, StandingWindow
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.windows.ewmh import SOURCE_PAGER, EwmhWindows

_ICONIC = 3  # of WM_STATE and WM_CHANGE_STATE (ICCCM 4.1.3.1)
_ABOVE = 0  # detail of _NET_RESTACK_WINDOW, as in ConfigureWindow


class Arrangement:
    """The managed windows of one display. Without a window manager that stacks there is none."""

    def __init__(self, display: Display, windows: EwmhWindows) -> None:
        self._display = display
        self._windows = windows

    def read(self) -> Standing | None:
        """None without a window manager."""
        managed = self._windows.managed()
        if not self._display.numbers(self._display.root, "_NET_SUPPORTING_WM_CHECK"):
            return None
        owners = self._windows.owners(managed)
        found = (self._read(window, pid) for window, pid in zip(managed, owners, strict=True))
        return Standing(tuple(found), self._windows.active())

    def _read(self, window: int, pid: int) -> StandingWindow:
        info = self._windows.describe(window)
        minimised = self._display.numbers(window, "WM_STATE")[:1] == [_ICONIC]
        return StandingWindow(window, pid, info.title, info.application, minimised)

    def put_back(self, before: Standing, but: Collection[tuple[int, int]]) -> None:
        """Minimised states, order and the active window as before, except for those of the windows with the keys `but`."""
        now = self.read()
        if now is None:
            return
        there = {each.key: each for each in now.windows}
        own = [each for each in before.windows if each.key in there and each.key not in but]
        for each in own:
            if each.minimised != there[each.key].minimised:
                self._minimise(each.id) if each.minimised else self._windows.activate(each.id)
        shown = [each.id for each in own if not each.minimised]
        if [each.id for each in now.windows if each.id in shown] != shown:
            self._restack(shown)
        if before.active in shown and before.active != self._windows.active():
            self._windows.activate(before.active)

    def _minimise(self, window: int) -> None:
        self._windows.request(window, "WM_CHANGE_STATE", _ICONIC)

    def _restack(self, windows: list[int]) -> None:
        """From front to back, by raising one after the other from the back on."""
        for window in reversed(windows):
            self._windows.request(window, "_NET_RESTACK_WINDOW", SOURCE_PAGER, 0, _ABOVE)
