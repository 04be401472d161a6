"""The guard's part for X11: sees ESC in raw events and in the keymap, releases through XTest.

XInput 2 raw events come even while another client has grabbed the keyboard (protocol 2.1 and
later). The keymap is asked on a connection of its own, so that one way may hang or fail alone.
"""

from __future__ import annotations

import contextlib
import select
import threading
from collections.abc import Callable, Sequence
from typing import Any

import xcffib
import xcffib.xinput
import xcffib.xproto

from desktop_agent.hand.ipc.shared_block import Shared
from desktop_agent.hand.own_escapes import Escapes
from desktop_agent.platforms.x11.stopping.human_watch import HumanWatch
from desktop_agent.platforms.x11.stopping.release import X11Releaser, any_down, open_connection, read_mapping
from desktop_agent.protocol.errors import HandError

ESCAPE_KEYSYM = 0xFF1B
ESCAPE_KEYCODE = 9  # of every evdev keyboard; used while no keycode has the keysym


def connect() -> X11EscapeWatch:
    """Connect to the display of the environment. Raises HandError when there is none."""
    try:
        return X11EscapeWatch()
    except xcffib.XcffibException as error:
        raise HandError(
            f"The guard cannot reach the display: {type(error).__name__}.", "Check DISPLAY and XAUTHORITY."
        ) from error


class X11EscapeWatch:
    """Three connections: raw events, keymap, and the one that releases."""

    def __init__(self) -> None:
        self._releaser = X11Releaser(open_connection())
        self._keymap = KeymapWatch(open_connection())
        self._raw: RawWatch | None = None
        with contextlib.suppress(xcffib.XcffibException):  # without XInput 2 the keymap must do
            self._raw = RawWatch(open_connection(), lambda: self._keymap.escapes)
        self._human: HumanWatch | None = None

    def watch(self, escapes: Escapes, interval: Callable[[], float], beat: Callable[[], None]) -> None:
        """See Platform. The raw events are the quick way, so the heart beats there as long as they come."""

        def beat_alone() -> None:
            if self._raw is None or not self._raw.alive:
                beat()

        self._keymap.start(escapes, interval, beat_alone)
        if self._raw is not None:
            self._raw.start(escapes, interval, beat)

    def watching(self) -> bool:
        """See Platform; the display is there as long as one of the ways works."""
        seen = self._human is None or self._human.alive
        return seen and (self._keymap.alive or (self._raw is not None and self._raw.alive))

    def watch_human(self, shared: Shared, tell: Callable[[str], None]) -> None:
        """See System. Without XInput 2 nobody can tell whose input it is, and nobody looks."""
        with contextlib.suppress(xcffib.XcffibException):
            self._human = HumanWatch(open_connection(), lambda: self._keymap.escapes)
            self._human.start(shared, tell)

    def release(self, keys: Sequence[int], buttons: Sequence[int]) -> bool:
        """See Platform. Raises TargetError when the display is gone."""
        return self._releaser.release(keys, buttons)

    def unmap(self, codes: Sequence[int]) -> None:
        """See Platform. Raises TargetError when the display is gone."""
        self._releaser.unmap(codes)


class _Watch:
    """A thread on a connection of its own; it ends when the display does."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self.alive = True

    def _run_in_thread(self, look: Callable[[], None]) -> None:
        def run() -> None:
            try:
                while True:
                    look()
            except xcffib.XcffibException:
                self.alive = False

        threading.Thread(target=run, name=type(self).__name__, daemon=True).start()


class RawWatch(_Watch):
    """ESC in raw key events, with the device that each came from."""

    def __init__(self, connection: Any, codes: Callable[[], frozenset[int]]) -> None:
        super().__init__(connection)
        self._codes = codes
        self._xinput = connection(xcffib.xinput.key)
        version = self._xinput.XIQueryVersion(2, 2).reply()
        if (version.major_version, version.minor_version) < (2, 1):
            raise xcffib.XcffibException("XInput 2.1 is needed for raw events under a grab")
        self._own_devices = self._xtest_keyboards()
        xinput: Any = xcffib.xinput
        mask = xinput.EventMask.synthetic(xinput.Device.AllMaster, 1, [xinput.XIEventMask.RawKeyPress])
        root = connection.get_setup().roots[0].root
        self._xinput.XISelectEvents(root, 1, [mask], is_checked=True).check()

    def _xtest_keyboards(self) -> frozenset[int]:
        infos = self._xinput.XIQueryDevice(xcffib.xinput.Device.All).reply().infos
        return frozenset(info.deviceid for info in infos if "XTEST" in info.name.to_string())

    def start(self, escapes: Escapes, interval: Callable[[], float], beat: Callable[[], None]) -> None:
        """Report presses to `escapes`; `beat` after each look, at least every `interval()` seconds."""
        fd = self._connection.get_file_descriptor()

        def look() -> None:
            while (event := self._connection.poll_for_event()) is not None:
                if isinstance(event, xcffib.xinput.RawKeyPressEvent) and event.detail in self._codes():
                    escapes.pressed(from_own_device=event.sourceid in self._own_devices)
            beat()
            select.select([fd], [], [], interval())

        self._run_in_thread(look)


class KeymapWatch(_Watch):
    """ESC in the state of the keyboard, looked at every few milliseconds."""

    def __init__(self, connection: Any) -> None:
        super().__init__(connection)
        self._told = False
        self.escapes = self._read_mapping()

    def start(self, escapes: Escapes, interval: Callable[[], float], beat: Callable[[], None]) -> None:
        """Report presses to `escapes`; `beat` after each look, every `interval()` seconds."""
        fd = self._connection.get_file_descriptor()

        def look() -> None:
            self._follow_mapping()
            self._look(escapes)
            beat()
            select.select([fd], [], [], interval())

        self._run_in_thread(look)

    def _look(self, escapes: Escapes) -> None:
        before = escapes.snapshot(self.escapes)
        down = any_down(self._connection, self.escapes)
        if not down:
            self._told = False
        elif not self._told:
            self._told = escapes.down(before, escapes.snapshot(self.escapes))

    def _follow_mapping(self) -> None:
        """Typing changes the mapping often: read it once for all that has changed."""
        changed = False
        while (event := self._connection.poll_for_event()) is not None:
            changed |= isinstance(event, xcffib.xproto.MappingNotifyEvent)
        if changed:
            self.escapes = self._read_mapping()

    def _read_mapping(self) -> frozenset[int]:
        """The keycodes that mean Escape now."""
        _, symbols = read_mapping(self._connection)
        found = frozenset(code for code, keysyms in symbols.items() if ESCAPE_KEYSYM in keysyms)
        return found or frozenset({ESCAPE_KEYCODE})
