"""Watches an X11 display for ESC, in raw events and in the keymap, and releases through XTest.

The keymap is asked on a connection of its own, so that one way may hang or fail alone.
"""

from __future__ import annotations

import contextlib
import select
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import xcffib
import xcffib.xproto

from desktop_agent.platforms.base import EscapeSink, HumanSink, InputWatch, Means
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.human_means import HumanMeans
from desktop_agent.platforms.x11.input_watch.release import (
    X11Releaser,
    any_down,
    open_connection,
    read_mapping,
)
from desktop_agent.platforms.x11.windows.ewmh import EwmhWindows
from desktop_agent.platforms.x11.xinput2 import Devices, Kind, XInput, injecting, next_event
from desktop_agent.protocol.errors import TargetError

ESCAPE_KEYSYM = 0xFF1B
ESCAPE_KEYCODE = 9  # of every evdev keyboard; used while no keycode has the keysym


class X11Watch(InputWatch):
    """Three connections: raw events, keymap, and the one that releases; see InputWatch. Raises TargetError."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        try:
            self._releaser = X11Releaser(open_connection(environment))
            self._keymap = KeymapWatch(open_connection(environment))
            self._raw: RawWatch | None = None
            with contextlib.suppress(xcffib.XcffibException):  # without XInput 2 the keymap must do
                self._raw = RawWatch(open_connection(environment), lambda: self._keymap.escapes)
        except xcffib.XcffibException as error:
            raise TargetError(
                f"The guard cannot reach the display: {type(error).__name__}.",
                "Check DISPLAY and XAUTHORITY.",
            ) from error
        self._human: HumanWatch | None = None

    def watch_escape(
        self, escapes: EscapeSink, interval: Callable[[], float], beat: Callable[[], None]
    ) -> None:
        """The raw events are the quick way, so the heart beats there as long as they come."""

        def beat_alone() -> None:
            if self._raw is None or not self._raw.alive:
                beat()

        self._keymap.start(escapes, interval, beat_alone)
        if self._raw is not None:
            self._raw.start(escapes, interval, beat)

    def watching(self) -> bool:
        """The display is there as long as one of the ways works."""
        seen = self._human is None or self._human.alive
        return seen and (self._keymap.alive or (self._raw is not None and self._raw.alive))

    def watch_human(self, human: HumanSink) -> bool:
        """Without XInput 2 nobody can tell whose input it is, and nobody looks."""
        with contextlib.suppress(xcffib.XcffibException):
            watch = HumanWatch(open_connection(self._environment), lambda: self._keymap.escapes, human)
            watch.start(self._environment)
            self._human = watch
        return self._human is not None

    def release(self, keys: Sequence[int], buttons: Sequence[int]) -> bool:
        return self._releaser.release(keys, buttons)

    def unmap(self, codes: Sequence[int]) -> int:
        return self._releaser.unmap(codes)

    def place(self) -> int:
        return self._releaser.place()


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
        xinput = XInput(connection, 1)
        self._own_devices = injecting(xinput.devices())
        xinput.select({Devices.ALL_MASTERS: (Kind.KEY_PRESS,)})

    def start(self, escapes: EscapeSink, interval: Callable[[], float], beat: Callable[[], None]) -> None:
        """Report presses to `escapes`; `beat` after each look, at least every `interval()` seconds."""
        fd = self._connection.get_file_descriptor()

        def look() -> None:
            while (event := next_event(self._connection)) is not None:
                if event.kind == Kind.KEY_PRESS and event.detail in self._codes():
                    escapes.pressed(from_own_device=event.source in self._own_devices)
            beat()
            select.select([fd], [], [], interval())

        self._run_in_thread(look)


class KeymapWatch(_Watch):
    """ESC in the state of the keyboard, looked at every few milliseconds."""

    def __init__(self, connection: Any) -> None:
        super().__init__(connection)
        self._told = False
        self.escapes = self._read_mapping()

    def start(self, escapes: EscapeSink, interval: Callable[[], float], beat: Callable[[], None]) -> None:
        """Report presses to `escapes`; `beat` after each look, every `interval()` seconds."""
        fd = self._connection.get_file_descriptor()

        def look() -> None:
            self._follow_mapping()
            self._look(escapes)
            beat()
            select.select([fd], [], [], interval())

        self._run_in_thread(look)

    def _look(self, escapes: EscapeSink) -> None:
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


# A thread and connections of its own, so that the way of ESC stays short. Other clients' XTEST input
# (an on-screen keyboard, a remote desktop that injects) cannot be told from the hand's by its device.
class HumanWatch:
    """Reports the human's input to `human`; `alive` until the display goes.

    `escapes` are the keycodes that stop, and so take nothing over. Raises XcffibException where
    XInput 2.2 is missing.
    """

    def __init__(self, connection: Any, escapes: Callable[[], frozenset[int]], human: HumanSink) -> None:
        self._connection = connection
        self._human = human
        self._means = HumanMeans(connection, escapes, lambda: human.holding_button)
        self.alive = True

    def start(self, environment: Mapping[str, str]) -> None:
        """Begin to look, in a thread of its own. Raises TargetError."""
        self._windows = EwmhWindows(Display(environment))
        threading.Thread(target=self._run, name="human", daemon=True).start()

    def _run(self) -> None:
        fd = self._connection.get_file_descriptor()
        try:
            while True:
                for means in self._look():
                    self._human.seen(means, self._by_key if means == "keyboard" else self._by_pointer)
                select.select([fd], [], [])
        except xcffib.XcffibException:
            self.alive = False

    def _by_key(self) -> int:
        return self._windows.focus_owner()

    def _by_pointer(self) -> int:
        return self._windows.owner_at(self._means.pointer())

    def _look(self) -> set[Means]:
        """What the human used since the last look; a quick mouse is judged once for many moves."""
        used: set[Means] = set()
        while (event := next_event(self._connection)) is not None:
            if event.kind == Kind.HIERARCHY:
                self._means.learn_devices()
            elif (means := self._means.used(event)) is not None:
                used.add(means)
        return used
