"""A private desktop to work on: the embedded display of the product, with what tests and benchmarks ask of it."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from desktop_agent.platforms.base import WindowInfo
from desktop_agent.platforms.host import Peer
from desktop_agent.protocol.geometry import Rect
from tests.support.waiting import Late, until

if sys.platform != "win32":  # tests name the desk there, too, but none is made
    from xcffib.xproto import CW, WindowClass

    from desktop_agent.platforms.x11.connection import Display
    from desktop_agent.platforms.x11.embedded.root_window import wait_for_window_manager
    from desktop_agent.targets._embedded import EmbeddedDisplay

MANAGER_SECONDS = 200.0
SESSION = ("DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS")
"""The variables by which a program finds its desktop."""


@dataclass
class Desk:
    """A started embedded display. `environment` leads programs and our own parts to it."""

    target: EmbeddedDisplay
    _launched: list[Peer] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        return dict(self.target.environment)

    def lead(self, setenv: Callable[[str, str], object]) -> None:
        """Lead this process to the desktop: call `setenv` (such as a monkeypatch's) for each variable of the session."""
        for name in SESSION:
            if name in self.environment:
                setenv(name, self.environment[name])

    def launch(self, *argv: str, title: str | None = None) -> int:
        """Start a program in the session and return its process id.

        With `title` (a regular expression) returns when a window of that title is active.
        """
        self._await_window_manager()
        pid = self.target.launch(list(argv))
        self._launched.append(Peer(pid))
        if title is not None:
            self.wait_for_window(title)
        return pid

    def _await_window_manager(self) -> None:
        """It takes each change of the key map in turn, and on a busy machine a minute for those of a long text."""
        display = Display(self.environment)
        try:
            wait_for_window_manager(display, MANAGER_SECONDS)
        finally:
            display.close()

    def wait_for_window(self, title: str, seconds: float = 60.0) -> WindowInfo:
        """The active window, as soon as its title matches."""

        def active() -> WindowInfo | None:
            first = next(iter(self.target.windows()), None)
            # the window manager may call a window active just before it is on the screen
            return first if first and re.search(title, first.title) and not first.bounds.empty else None

        try:
            return until(active, f"an active window with the title {title!r}", seconds)
        except Late as late:
            raise Late(f"{late}; there are {self.target.windows()}") from None

    @contextmanager
    def ending(self) -> Iterator[None]:
        """Programs launched in this context end with it; the next ones would not get the keyboard else."""
        before = len(self._launched)
        try:
            yield
        finally:
            for peer in self._launched[before:]:
                peer.kill()
                peer.wait()

    def panel(self, area: Rect, colour: int) -> Panel:
        """A plain window of our own process at exactly this place, filled with 0xRRGGBB."""
        return Panel(Display(self.environment), area, colour)

    def held(self) -> tuple[set[int], int]:
        """Key codes that are down, and the mask of buttons that are (bits 8 to 12)."""
        display = Display(self.environment)
        try:
            keys = display.core.QueryKeymap().reply().keys
            mask = display.core.QueryPointer(display.root).reply().mask
        finally:
            display.close()
        return {
            8 * i + bit for i, byte in enumerate(keys) for bit in range(8) if byte >> bit & 1
        }, mask & 0x1F00

    def end(self, pid: int) -> None:
        """End a program that was launched, and wait until it is gone."""
        os.kill(pid, signal.SIGKILL)
        until(lambda: not Path(f"/proc/{pid}").exists(), f"the end of process {pid}")


class Panel:
    """A plain window without decorations, of this process."""

    def __init__(self, display: Display, area: Rect, colour: int) -> None:
        self._display = display
        self.id = display.connection.generate_id()
        place = (area.x, area.y, area.width, area.height)
        values = [colour, 1]
        mask = CW.BackPixel | CW.OverrideRedirect
        display.core.CreateWindow(
            0, self.id, display.root, *place, 0, WindowClass.InputOutput, 0, mask, values
        )
        display.core.MapWindow(self.id)
        display.sync()

    def fill(self, colour: int, area: Rect | None = None) -> None:
        """Fill it anew, or a part of it (relative to the window)."""
        self._display.core.ChangeWindowAttributes(self.id, CW.BackPixel, [colour])
        part = area or Rect(0, 0, 0, 0)
        self._display.core.ClearArea(False, self.id, part.x, part.y, part.width, part.height)
        self._display.sync()

    def close(self) -> None:
        self._display.close()
