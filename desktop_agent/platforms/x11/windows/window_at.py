"""Finds the window that a click or key would reach on an X display, with its program and user."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import msgspec

from desktop_agent.platforms.base import WindowInfo
from desktop_agent.platforms.posix.pseudo_terminals import TerminalHosts
from desktop_agent.platforms.x11.connection import Display, text
from desktop_agent.platforms.x11.windows.ewmh import EwmhWindows
from desktop_agent.protocol.geometry import Point

_PROC = Path("/proc")
KEYBOARD_TAKERS = frozenset((
    "dmenu", "rofi", "bemenu", "tofi", "i3lock", "slock", "xlock", "xsecurelock", "xscreensaver", "alock", "xtrlock",
))  # fmt: skip
"""Window classes of programs that grab the keyboard instead of taking the focus."""


class WindowProbe:
    """Queries single windows of one display, never from a cache but for what runs a shell."""

    def __init__(self, display: Display, windows: EwmhWindows, ours: Collection[int]) -> None:
        """`ours` are the users whose programs may be worked."""
        self._display, self._windows, self._ours = display, windows, ours
        self._terminals = TerminalHosts()

    def at(self, point: Point) -> WindowInfo | None:
        """The top-level window under a point; None on the bare desktop."""
        window = self._windows.client_at(point)
        return self._examine(window) if window else None

    def focused(self) -> WindowInfo | None:
        """The window that keys go to: one that grabs the keyboard (a launcher, a lock screen), else the focus window.

        None when no window has the focus.
        """
        window = self._keyboard_taker() or self._windows.focus()
        return self._examine(self._windows.client_around(window)) if window else None

    def pointer(self) -> Point:
        """The pointer's position in screen pixels."""
        reply = self._display.core.QueryPointer(self._display.root).reply()
        return Point(reply.root_x, reply.root_y)

    def _keyboard_taker(self) -> int:
        """The viewable window of a program that grabs the keyboard, 0 for none.

        Queried before every few keys, so all requests are sent before the first reply is read.
        """
        asked = [(each, self._display.ask_property(each, "WM_CLASS")) for each in self._windows.tops()]
        classes = [(each, set(text(cookie).casefold().split("\0"))) for each, cookie in asked]
        takers = (each for each, names in classes if names & KEYBOARD_TAKERS)
        return next((each for each in takers if self._windows.viewable(each)), 0)

    def _examine(self, window: int) -> WindowInfo:
        found = self._windows.describe(window)
        return msgspec.structs.replace(
            found,
            program=program_of(found.pid),
            foreign=self._is_foreign(found.pid),
            hosts_shell=self._terminals.hosts(found.pid, self._with_windows),
        )

    def _with_windows(self) -> set[int]:
        """The processes that have windows."""
        return {each.pid for each in self._windows.stacked()}

    def _is_foreign(self, pid: int) -> bool:
        """True when the process is another user's, or hides from us as those do; False for an unknown one (0)."""
        if not pid:
            return False
        try:
            return (_PROC / str(pid)).stat().st_uid not in self._ours
        except OSError:
            return True


def program_of(pid: int) -> str:
    """File name of the program a process runs (/proc/PID/exe); "" when it cannot be told."""
    try:
        return (_PROC / str(pid) / "exe").readlink().name.removesuffix(" (deleted)") if pid else ""
    except OSError:  # it has ended, or is another user's
        return ""
