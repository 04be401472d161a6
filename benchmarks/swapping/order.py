"""What came first at the X server: the hand's press, or a window that appeared, moved or changed size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import xcffib.xinput
from xcffib.ffi import ffi
from xcffib.xproto import CW, EventMask

from desktop_agent.platforms.x11.connection import Display

MAP_NOTIFY, CONFIGURE_NOTIFY, GENERIC_EVENT = 19, 22, 35  # event numbers of the X protocol
RAW_BUTTON_PRESS = 15  # of XInput 2
_EVTYPE = slice(8, 10)  # where an XInput event says which it is


class Order:
    """Presses and changes since `forget`, in the order in which the server carried them out.

    The server puts all events of one connection in that order. What the applications are told comes
    later, and in an order of its own: a window manager holds presses back, and what is at the place
    when it lets go gets them.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._display = display = Display(environment)
        self._seen: list[str] = []
        display.divert = self._take
        xinput: Any = xcffib.xinput
        requests = display.connection(xinput.key)
        requests.XIQueryVersion(2, 2).reply()
        mask = xinput.EventMask.synthetic(xinput.Device.AllMaster, 1, [xinput.XIEventMask.RawButtonPress])
        requests.XISelectEvents(display.root, 1, [mask], is_checked=True).check()
        display.core.ChangeWindowAttributes(display.root, CW.EventMask, [EventMask.SubstructureNotify])
        display.sync()

    def forget(self) -> None:
        """What comes from now on counts."""
        self._read()
        self._seen.clear()

    @property
    def changed(self) -> bool:
        """Has a window appeared, moved or changed size?"""
        return "change" in self._read()

    @property
    def pressed_first(self) -> bool:
        """Was a button pressed while no window had changed yet?"""
        return self._read()[:1] == ["press"]

    def _read(self) -> list[str]:
        self._display.sync()
        self._display.gather()
        return self._seen

    def _take(self, event: Any) -> bool:
        """From the bytes: xcffib's own class of raw events reads beyond the event."""
        raw = bytes(ffi.buffer(event, 32))
        number = raw[0] & 0x7F
        if number in (MAP_NOTIFY, CONFIGURE_NOTIFY):
            self._seen.append("change")
        elif number == GENERIC_EVENT and int.from_bytes(raw[_EVTYPE], "little") == RAW_BUTTON_PRESS:
            self._seen.append("press")
        return True

    def close(self) -> None:
        self._display.close()
