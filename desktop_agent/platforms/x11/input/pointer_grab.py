"""Tells whether another client has grabbed an X display's pointer, so that a click would go to it wherever it lands."""

from __future__ import annotations

from xcffib.xproto import GrabMode, GrabStatus, KeyButMask, Time

from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.input.key_destination import KeyDestinationReader

_BUTTONS = (
    KeyButMask.Button1 | KeyButMask.Button2 | KeyButMask.Button3 | KeyButMask.Button4 | KeyButMask.Button5
)


class PointerGrabReader:
    """Asks one display as `key_destination` does: for a grab with a window that is never mapped, which grabs nothing."""

    def __init__(self, display: Display, destinations: KeyDestinationReader) -> None:
        self._display, self._destinations = display, destinations

    def grabbed(self) -> bool:
        """Would a press now go to a client that has grabbed the pointer, and shows no menu or popup that says so?

        While a button is down its window has the pointer, and a program that shows another computer takes it.
        """
        modes = GrabMode.Async, GrabMode.Async
        asked = self._display.core.GrabPointer(
            False, self._destinations.unmapped, 0, *modes, 0, 0, Time.CurrentTime
        )
        pointer = self._display.core.QueryPointer(self._display.root).reply()
        if asked.reply().status != GrabStatus.AlreadyGrabbed or pointer.mask & _BUTTONS:
            return False
        if self._destinations.is_viewer(pointer.child):
            return False
        return next(self._destinations.popups(), None) is None
