"""The guard's part for Windows: sees ESC by a hook and by the keyboard's state, releases by SendInput.

The hook tells our own events by their extra information; the state of the keyboard is looked at on a
thread of its own, so that one way may hang or be dropped by Windows alone. Whether the hook still
lives is found out by sending a key that no keyboard has and seeing it come by.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from desktop_agent.hand.escapes import Escapes
from desktop_agent.hand.release_windows import Releaser
from desktop_agent.hand.shared import Shared, Word
from desktop_agent.hand.takeover import Means, Movement, Takeover
from desktop_agent.protocol.errors import HandError, TargetError
from desktop_agent.target.windows.hooks import Hooks, Pointed, Pressed
from desktop_agent.target.windows.keycodes import CODES
from desktop_agent.target.windows.records import KEY_UP, Key
from desktop_agent.target.windows.user32 import User32

ESCAPE = CODES["escape"]
PROBE = 0xFF
"""A virtual key that no keyboard has and no program heeds."""
PROBE_SECONDS = 2.0


def connect() -> Windows:
    """The guard's part for this session. Raises HandError when there is none."""
    try:
        return Windows(User32())
    except TargetError as error:
        raise HandError(error.message, error.advice) from error


class Windows:
    """A hook for the keys, the state of the keyboard, and a way to release."""

    def __init__(self, user32: User32) -> None:
        self._user32 = user32
        self._user32.see_every_pixel()
        self._releaser = Releaser(user32)
        self._keys: KeyHook | None = None
        self._state = StateWatch(user32)
        self._human: HumanHook | None = None

    def watch(self, escapes: Escapes, interval: Callable[[], float], beat: Callable[[], None]) -> None:
        """See Platform. The state of the keyboard is looked at always, so the heart beats there."""
        self._keys = KeyHook(self._user32, escapes, interval)
        self._keys.start()
        self._state.start(escapes, interval, beat)

    def watching(self) -> bool:
        """See Platform; a session ends with its processes."""
        return self._state.alive

    def watch_human(self, shared: Shared, tell: Callable[[str], None]) -> None:
        """See System."""
        self._human = HumanHook(self._user32, shared, tell)
        self._human.start()

    def release(self, keys: Sequence[int], buttons: Sequence[int]) -> bool:
        """See Platform. Raises TargetError while Windows takes no input of ours."""
        return self._releaser.release(keys, buttons)

    def unmap(self, codes: Sequence[int]) -> None:
        """See Platform: typing changes no keyboard layout here."""


class KeyHook:
    """ESC in the hook's events, and whether the hook is still called."""

    def __init__(self, user32: User32, escapes: Escapes, interval: Callable[[], float]) -> None:
        self._user32 = user32
        self._escapes = escapes
        self._interval = interval
        self._hooks = Hooks(self._seen, None, self._rest)
        self._probed = self._answered = time.monotonic()

    def start(self) -> None:
        self._hooks.start("keys")

    def _seen(self, key: Pressed) -> None:
        if key.code == ESCAPE:
            self._escapes.pressed(from_own_device=key.ours)
        elif key.code == PROBE and key.ours:
            self._answered = time.monotonic()

    def _rest(self) -> float:
        """Seconds to the next look; a hook that did not see the last probe is set anew."""
        now = time.monotonic()
        if now - self._probed > PROBE_SECONDS:
            if self._answered < self._probed:
                self._hooks.renew()
            self._probed = now
            self._user32.send((Key(PROBE, 0, 0), Key(PROBE, 0, KEY_UP)))
        return self._interval()


class StateWatch:
    """ESC in the state of the keyboard, looked at every few milliseconds."""

    def __init__(self, user32: User32) -> None:
        self._user32 = user32
        self._told = False
        self.alive = True

    def start(self, escapes: Escapes, interval: Callable[[], float], beat: Callable[[], None]) -> None:
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

    def _look(self, escapes: Escapes, codes: frozenset[int]) -> None:
        before = escapes.snapshot(codes)
        if not self._user32.down(ESCAPE):
            self._told = False
        elif not self._told:
            self._told = escapes.down(before, escapes.snapshot(codes))


class HumanHook:
    """The human's keys and pointer: every event that no program injected. ESC stops, so it takes nothing over."""

    def __init__(self, user32: User32, shared: Shared, tell: Callable[[str], None]) -> None:
        self._user32 = user32
        self._shared = shared
        self._used: set[Means] = set()
        place = user32.pointer()
        self._movement = Movement((place.x, place.y))
        brain = shared[Word.BRAIN_PID]

        def ours(means: Means) -> bool:
            window = user32.foreground() if means == "keyboard" else user32.window_at(user32.pointer())
            return brain == user32.owner(window)

        self._takeover = Takeover(shared, tell, ours)
        self._hooks = Hooks(self._key, self._pointer, self._rest)

    def start(self) -> None:
        self._shared[Word.HUMAN_TIME] = 1
        self._hooks.start("human")

    def _key(self, key: Pressed) -> None:
        if not key.injected and key.code != ESCAPE:
            self._used.add("keyboard")

    def _pointer(self, event: Pointed) -> None:
        if event.injected:
            return
        moved = self._movement.to(event.x, event.y, time.monotonic())
        if event.pressed or moved or self._shared[Word.BUTTONS]:
            self._used.add("mouse")

    def _rest(self) -> float:
        """What was used since the last look is judged here: the hook itself has to answer at once."""
        used, self._used = self._used, set()
        for means in used:
            self._takeover.seen(means)
        return 0.05
