"""Watches a Windows session for ESC, by a hook and by the keyboard's state, and releases by SendInput.

The hook tells our own events by their extra information; the state of the keyboard is looked at on a
thread of its own, so that one way may hang or be dropped by Windows alone. Whether the hook still
lives is found out by sending a key that no keyboard has and seeing it come by: its release alone, since
nobody would let go of it for a guard that is killed between press and release.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

from desktop_agent.platforms.base import EscapeSink, HumanSink, InputWatch, Means
from desktop_agent.platforms.pointer_movement import Movement
from desktop_agent.platforms.windows.input.keycodes import CODES
from desktop_agent.platforms.windows.input.sendinput_records import KEY_UP, KeyRecord
from desktop_agent.platforms.windows.input_watch.hooks import Hooks, Keyed, Pointed
from desktop_agent.platforms.windows.input_watch.release import WindowsReleaser
from desktop_agent.platforms.windows.user32 import User32
from desktop_agent.protocol.errors import TargetError

ESCAPE = CODES["escape"]
PROBE = 0xFF
"""A virtual key that no keyboard has and no program heeds."""
PROBE_SECONDS = 2.0


class WindowsWatch(InputWatch):
    """A hook for the keys, the state of the keyboard, and a way to release; see InputWatch."""

    def __init__(self, user32: User32) -> None:
        self._user32 = user32
        self._releaser = WindowsReleaser(user32)
        self._state = StateWatch(user32)
        self._human: Human | None = None

    def watch_escape(
        self, escapes: EscapeSink, interval: Callable[[], float], beat: Callable[[], None]
    ) -> None:
        """The state of the keyboard is looked at always, so the heart beats there."""
        self._hooked = Hooked(self._user32, escapes, self._human)
        self._hooked.start()
        self._state.start(escapes, interval, beat)

    def watching(self) -> bool:
        """A session ends with its processes."""
        return self._state.alive

    def watch_human(self, human: HumanSink) -> bool:
        """The hooks of `watch_escape` will report it."""
        self._human = Human(self._user32, human)
        return True

    def release(self, keys: Sequence[int], buttons: Sequence[int]) -> bool:
        return self._releaser.release(keys, buttons)


class Hooked:
    """What the hooks tell: ESC to `escapes`, the human's input to `human`; and whether they are still called."""

    def __init__(self, user32: User32, escapes: EscapeSink, human: Human | None) -> None:
        self._user32 = user32
        self._escapes = escapes
        self._human = human
        self._hooks = Hooks(self._key, self._pointer if human else None, self._rest)
        self._probed = self._answered = time.perf_counter()

    def start(self) -> None:
        """Raises TargetError when Windows refuses."""
        self._hooks.start("hooks")

    def _key(self, key: Keyed) -> None:
        if key.code == ESCAPE and not key.up:
            self._escapes.pressed(from_own_device=key.ours)
        elif key.ours:
            self._answered = time.perf_counter()
        elif key.up:
            return
        elif self._human is not None and self._human.pressed(key):
            self._hooks.wake()

    def _pointer(self, event: Pointed) -> None:
        if self._human is not None and self._human.pointed(event):
            self._hooks.wake()

    def _rest(self) -> None:
        with suppress(TargetError):  # a locked screen takes no probe: the hooks have to outlive it
            self._look_around()

    def _look_around(self) -> None:
        """Judge what the hook itself has no time for, and see that it lives."""
        if self._human is not None:
            self._human.judge()
        now = time.perf_counter()
        # While nothing is done there is nothing to stop, and probes would keep a computer awake.
        if self._escapes.busy and now - self._probed > PROBE_SECONDS:
            if self._answered < self._probed:
                self._hooks.renew()
            self._probed = now
            self._user32.send((KeyRecord(PROBE, 0, KEY_UP),))


class StateWatch:
    """ESC in the state of the keyboard, looked at every few milliseconds."""

    def __init__(self, user32: User32) -> None:
        self._user32 = user32
        self._told = False
        self.alive = True

    def start(self, escapes: EscapeSink, interval: Callable[[], float], beat: Callable[[], None]) -> None:
        """Report presses to `escapes`; `beat` after each look, every `interval()` seconds."""
        codes = frozenset({ESCAPE})
        pause = threading.Event()

        def run() -> None:
            try:
                while not pause.wait(interval()):
                    self._look(escapes, codes)
                    beat()
            except TargetError:
                self.alive = False

        threading.Thread(target=run, name="keyboard state", daemon=True).start()

    def _look(self, escapes: EscapeSink, codes: frozenset[int]) -> None:
        before = escapes.snapshot(codes)
        if not self._user32.down(ESCAPE):
            self._told = False
        elif not self._told:
            self._told = escapes.down(before, escapes.snapshot(codes))


class Human:
    """The human's keys and pointer: every event that no program injected. ESC stops, so it takes nothing over."""

    def __init__(self, user32: User32, sink: HumanSink) -> None:
        self._user32 = user32
        self._sink = sink
        self._used: set[Means] = set()
        place = user32.pointer()
        self._movement = Movement((place.x, place.y))

    def pressed(self, key: Keyed) -> bool:
        """Note it; true when it is news to be judged. The hook has to answer at once, so that is not done here."""
        return not key.injected and self._note("keyboard")

    def pointed(self, event: Pointed) -> bool:
        """The same for the pointer, which counts when it has moved farther than a resting hand does."""
        if event.injected:
            return False
        moved = self._movement.to(event.x, event.y, time.perf_counter())
        return (event.pressed or moved or self._sink.holding_button) and self._note("mouse")

    def _note(self, means: Means) -> bool:
        fresh = means not in self._used
        self._used.add(means)
        return fresh

    def judge(self) -> None:
        """Tell of what was used since the last time."""
        used, self._used = self._used, set()
        for means in used:
            self._sink.seen(means, self._by_key if means == "keyboard" else self._by_pointer)

    def _by_key(self) -> int:
        return self._user32.owner(self._user32.foreground())

    def _by_pointer(self) -> int:
        return self._user32.owner(self._user32.window_at(self._user32.pointer()))
