"""Tells where an X display's keys go: the exact focus window, and whether a client has grabbed the keyboard.

The X protocol has no request that asks for a grab. But a server that is asked for one by a client whose window is
not viewable answers before it does anything: AlreadyGrabbed when another client has the keyboard (by a core or by
an XInput grab), else GrabNotViewable. So asking with a window that is never mapped grabs nothing, and no client
gets an event for it. Which client has the grab is not told, and passive grabs of single keys are not either.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from xcffib.xproto import CW, GrabStatus, InputFocus, MapState, WindowClass

from desktop_agent.platforms.base import KeyDestination
from desktop_agent.platforms.x11.connection import Display, reply_or_none, text
from desktop_agent.platforms.x11.prepared_requests import PreparedRequest
from desktop_agent.platforms.x11.windows.ewmh import EwmhWindows
from desktop_agent.platforms.x11.windows.window_at import KEYBOARD_TAKERS

GRAB_KEYBOARD = 31  # request number of the core X protocol
_ASYNCHRONOUS = 1
_SMALL = 4  # pixels: what toolkits keep out of sight is smaller

GRABBING_VIEWERS = frozenset((
    "vncviewer", "tigervnc", "tigervnc viewer", "xfreerdp", "freerdp", "remmina", "org.remmina.remmina", "rdesktop", "krdc", "vinagre",
    "virt-viewer", "remote-viewer", "virt-manager", "virtualbox machine", "virtualboxvm", "qemu", "qemu-system-x86_64",
))  # fmt: skip
"""Window classes of programs that show another computer and grab the keyboard while they have the focus."""


class KeyDestinationReader:
    """Asks one display. Cheap enough for every few characters: one round trip, another while the server is not grabbed."""

    def __init__(self, display: Display, windows: EwmhWindows) -> None:
        self._display, self._windows = display, windows
        self.unmapped = self._window()
        content = struct.pack("=4xIIBB2x", self.unmapped, 0, _ASYNCHRONOUS, _ASYNCHRONOUS)
        self._grab = PreparedRequest(display.connection, GRAB_KEYBOARD, content, asks=True)
        self._asked = 0

    def _window(self) -> int:
        """A window that is never mapped."""
        window = int(self._display.connection.generate_id())
        place, kind = (-1, -1, 1, 1, 0), (WindowClass.InputOnly, 0)
        self._display.core.CreateWindow(
            0, window, self._display.root, *place, *kind, CW.OverrideRedirect, [1]
        )
        return window

    def ask(self) -> None:
        """Ask ahead, with the server grabbed: the next `read` in there shares the round trip of what is asked next."""
        self._forget()
        self._asked = self._grab.send()

    def _forget(self) -> None:
        if self._asked:
            self._grab.reply(self._asked)
            self._asked = 0

    def read(self) -> KeyDestination:
        """Where a key pressed now would go."""
        if not self._display.is_grabbed:
            self._forget()  # of a text that was ended in between
        asked, self._asked = self._asked or self._grab.send(), 0
        focus = self._display.focus()
        grabbed = self._grab.reply(asked)[1] == GrabStatus.AlreadyGrabbed
        if focus in (InputFocus.PointerRoot, self._display.root):
            focus = int(self._display.core.QueryPointer(self._display.root).reply().child)
        return KeyDestination(focus, grabbed and not self._expected(focus))

    def _expected(self, focus: int) -> bool:
        """Is it a program that is known to take the keyboard by a grab, and so was looked at as having it?"""
        shown = {name for window in self.popups() for name in self._classes(window)}
        return bool(shown & KEYBOARD_TAKERS or self.is_viewer(focus))

    def is_viewer(self, window: int) -> bool:
        """Does it belong to a program that shows another computer, which grabs what it passes on?"""
        return bool(window and self._classes(self._windows.client_around(window)) & GRABBING_VIEWERS)

    def describe(self, destination: KeyDestination) -> str:
        """Words for what takes the keys there."""
        if destination.grabbed:
            names = [name for window in self.popups() if (name := self._name(window))]
            return f"a menu or popup of “{names[0]}”" if names else "another program, which has grabbed it,"
        return (
            f"“{self._name(destination.window) or 'a window without a name'}”"
            if destination.window
            else "no window"
        )

    def _name(self, window: int) -> str:
        info = self._windows.describe(self._windows.client_around(window))
        return info.title or info.application

    def _classes(self, window: int) -> set[str]:
        return set(text(self._display.ask_property(window, "WM_CLASS")).casefold().split("\0")) - {""}

    def popups(self) -> Iterator[int]:
        """The viewable windows outside the window manager, from front to back."""
        for window in self._windows.tops():
            state = reply_or_none(self._display.core.GetWindowAttributes(window))
            size = reply_or_none(self._display.core.GetGeometry(window))
            if state is None or size is None or not state.override_redirect:
                continue
            if state.map_state == MapState.Viewable and min(size.width, size.height) > _SMALL:
                yield window
