"""Reports what is drawn on an X display (DAMAGE, XFIXES), and whether the applications acted on are still at work."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from typing import Any

import xcffib
import xcffib.damage
import xcffib.xfixes
from xcffib.ffi import ffi
from xcffib.xproto import CW, ClientMessageEvent, EventMask, PropertyNotifyEvent

from desktop_agent.platforms.x11.app_activity.cpu import ProcessActivity
from desktop_agent.platforms.x11.connection import Display, display_errors
from desktop_agent.platforms.x11.input.wm_ping import Pings
from desktop_agent.platforms.x11.windows.ewmh import EwmhWindows
from desktop_agent.protocol.app_activity import Activity, News
from desktop_agent.protocol.geometry import Point, Rect

_WHERE = (
    xcffib.xproto.MapNotifyEvent,
    xcffib.xproto.UnmapNotifyEvent,
    xcffib.xproto.ConfigureNotifyEvent,
)
_HEADER = 32  # bytes of every reply of the X protocol; FetchRegion's rectangles follow


class X11Activity(Activity):
    """Watches one display over a connection of its own. Raises TargetError without the DAMAGE and XFIXES extensions."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._display = Display(environment)
        with display_errors(self._display.name):
            self._listen()
        self._windows = EwmhWindows(self._display)
        self._pings = Pings(self._display)
        self._work = ProcessActivity()
        self._clients: frozenset[int] = frozenset()
        self._before: set[int] = set()

    def _listen(self) -> None:
        display = self._display
        self._fixes: Any = display.extension(xcffib.xfixes.key)
        self._fixes.QueryVersion(5, 0).reply()
        self._damages: Any = display.extension(xcffib.damage.key)
        self._damages.QueryVersion(1, 1).reply()
        new = display.connection.generate_id
        self._damage, self._region = new(), new()
        # NonEmpty: one event until the damage is fetched, so much drawing does not mean many events.
        self._damages.Create(self._damage, display.root, xcffib.damage.ReportLevel.NonEmpty)
        self._fixes.CreateRegion(self._region, 0, [])
        mask = EventMask.SubstructureNotify | EventMask.PropertyChange
        display.core.ChangeWindowAttributes(display.root, CW.EventMask, [mask])
        display.sync()

    def begin(self) -> None:
        with display_errors(self._display.name):
            self._clients = frozenset(self._listed())
            windows = self._acted_on()
            now = {self._windows.owner(window) for window in windows}
            # The action may have closed a dialog: the process that had the keyboard before is watched as well.
            self._work.begin(now | self._before)
            self._before = now - {0}
            self._pings.send(windows)
            self._display.flush()

    def _acted_on(self) -> set[int]:
        """The client windows under the pointer and with the keyboard focus."""
        pointer = self._display.core.QueryPointer(self._display.root).reply()
        under = self._windows.client_at(Point(pointer.root_x, pointer.root_y))
        focus = self._windows.focus()
        return {under, self._windows.client_around(focus) if focus else 0} - {0}

    def wait(self, seconds: float) -> News:
        with display_errors(self._display.name):
            news = self._gathered()
            if not news.any:
                self._display.rest(seconds)
                news = self._gathered()
            return news

    def waits(self) -> bool:
        return self._pings.waiting or self._work.asks()

    def computes(self) -> bool | None:
        return None if self._work.unknown else self._work.goes_on()

    def _gathered(self) -> News:
        self._display.flush()
        drawn, windows = False, False
        while (event := self._display.next_event()) is not None:
            drawn |= isinstance(event, xcffib.damage.NotifyEvent)
            windows |= isinstance(event, _WHERE)
            if isinstance(event, ClientMessageEvent):
                self._pings.hear(event)
            elif isinstance(event, PropertyNotifyEvent) and self._is_client_list(event):
                self._meet_new_windows()
        if windows:
            self._miss_closed_windows()
        return News(tuple(self._taken_out()) if drawn else (), windows)

    def _taken_out(self) -> Iterator[Rect]:
        """Fetch and reset the damage: the rectangles drawn in since the last call."""
        self._damages.Subtract(self._damage, 0, self._region)
        cookie = self._fixes.FetchRegion(self._region)
        # Read from the raw bytes: xcffib's typed reply is slow for many rectangles.
        reply = self._display.connection.wait_for_reply(cookie.sequence)
        words = int.from_bytes(ffi.buffer(reply.cdata, _HEADER)[4:8], "little")
        raw = bytes(ffi.buffer(reply.cdata, _HEADER + 4 * words))
        for x, y, width, height in struct.iter_unpack("=hhHH", raw[_HEADER:]):
            yield Rect(x, y, width, height)

    def _is_client_list(self, event: PropertyNotifyEvent) -> bool:
        return bool(event.atom == self._display.atom("_NET_CLIENT_LIST"))

    def _listed(self) -> list[int]:
        return self._display.numbers(self._display.root, "_NET_CLIENT_LIST")

    def _meet_new_windows(self) -> None:
        """Watch the processes of newly opened windows as well."""
        now = frozenset(self._listed())
        for window in now - self._clients:
            self._work.add(self._windows.owner(window))
        self._clients = now

    def _miss_closed_windows(self) -> None:
        for window in self._pings.asked:
            if not self._windows.viewable(window):
                self._pings.closed(window)

    def close(self) -> None:
        """Close the connection."""
        self._work.close()
        self._display.close()
