"""Injects input events into an X display through the XTest extension: pointer, buttons, wheel, keys."""

from __future__ import annotations

import contextlib
import select
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, assert_never

import xcffib
import xcffib.xinput
import xcffib.xtest
from xcffib.xproto import GrabMode, GrabStatus, KeyButMask, Time

from desktop_agent.platforms.base import Input, KeyDestination, Means
from desktop_agent.platforms.x11.connection import Display, display_errors
from desktop_agent.platforms.x11.human_means import PRESSES, HumanMeans
from desktop_agent.platforms.x11.input.key_destination import KeyDestinationReader
from desktop_agent.platforms.x11.input.keyboard import Keyboard
from desktop_agent.platforms.x11.monitors import Monitors
from desktop_agent.platforms.x11.opener.opener import X11Opener
from desktop_agent.platforms.x11.windows.ewmh import EwmhWindows
from desktop_agent.platforms.x11.windows.scene_reader import SceneReader
from desktop_agent.platforms.x11.xinput2 import (
    Devices,
    Kind,
    Raw,
    XInput,
    XInputMissing,
    head,
    injecting,
    read_event,
)
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Geometry, Point, Rect
from desktop_agent.protocol.input_events import (
    Button,
    ButtonDown,
    ButtonUp,
    InputEvent,
    KeyDown,
    KeyUp,
    Move,
    Text,
    Wheel,
)

PRESS, RELEASE, MOTION = 4, 5, 6  # event codes of the X protocol
BUTTONS: dict[Button, int] = {"left": 1, "middle": 2, "right": 3, "back": 8, "forward": 9}
UP, DOWN, LEFT, RIGHT = 4, 5, 6, 7  # the wheel's buttons
THAW_SECONDS = 0.25  # longest wait for a window manager to release a click that it holds back
_POLL_SECONDS = 0.001
CLICK_GAP = 0.01
"""Seconds from a button's release to the next press. Within one millisecond of the server's clock, window
managers that hand clicks on (openbox) lose the second, and Qt does not see a double click."""


_BUTTONS = (
    KeyButMask.Button1 | KeyButMask.Button2 | KeyButMask.Button3 | KeyButMask.Button4 | KeyButMask.Button5
)


_MOST = 4096
"""Events kept between two looks; a mouse makes a thousand a second, and the hand looks every 20 ms."""
_KINDS = frozenset((*PRESSES, Kind.HIERARCHY))


class X11Input(Input):
    """Keyboard and pointer of the display that `environment` leads to. Not for several threads."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._display = Display(environment)
        with display_errors(self._display.name):
            # Requests of this connection are processed even during another client's server grab, releases above all.
            self._display.extension(xcffib.xtest.key).GrabControl(True)
            self._monitors, self._windows = Monitors(self._display), EwmhWindows(self._display)
            self._scenes = SceneReader(self._display, self._windows)
            self._destinations = KeyDestinationReader(self._display, self._windows)
            self._pointer_grab = PointerGrabReader(self._display, self._destinations)
            self._keyboard = Keyboard(self._display, self._destinations.ask)
            self._pointer = Pointer(self._display)
            self._escapes = EscapePresses(
                self._display, lambda: self._keyboard.escape_codes, lambda: self._pointer.holding
            )
        self._opener = X11Opener(environment)
        self._closed = False

    @contextmanager
    def _display_errors(self) -> Iterator[None]:
        if self._closed:
            raise TargetError("The input is closed.")
        with display_errors(self._display.name):
            yield

    def emit(self, event: InputEvent) -> None:
        with self._display_errors():
            match event:
                case Move():
                    self._pointer.move(Point(event.x, event.y))
                case ButtonDown():
                    self._pointer.press(event.button)
                case ButtonUp():
                    self._pointer.release(event.button)
                case Wheel():
                    self._pointer.turn(event.dx, event.dy)
                case KeyDown():
                    self._keyboard.press(event.key)
                case KeyUp():
                    self._keyboard.release(event.key)
                case Text():
                    self._keyboard.type(event.chunk)
                case _:
                    assert_never(event)

    def check_with(self, check: Callable[[int], None]) -> None:
        self._display.check = lambda: check(self._keyboard.typed)

    def tell_of_grabs(self, tell: Callable[[bool], None]) -> None:
        self._display.tell_of_grabs = tell

    def escapes(self) -> Sequence[bool]:
        with self._display_errors():
            return self._escapes.taken()

    def human_used(self) -> Means | None:
        with self._display_errors():
            return self._escapes.used()

    def rest(self, seconds: float) -> bool:
        with self._display_errors():
            self._display.rest(seconds)
        return True

    def codes(self, event: InputEvent) -> tuple[int, ...]:
        if isinstance(event, ButtonDown | ButtonUp | Wheel):
            return self._pointer.codes(event)
        with self._display_errors():
            if isinstance(event, KeyDown | KeyUp):
                return self._keyboard.codes_of_key(event.key)
            return self._keyboard.codes_of_text(event.chunk) if isinstance(event, Text) else ()

    def spare_codes(self) -> tuple[int, ...]:
        return self._keyboard.spare_codes

    def prepare(self, text: str) -> None:
        with self._display_errors():
            self._keyboard.prepare(text)

    def geometry(self) -> Geometry:
        with self._display_errors():
            return self._monitors.geometry()

    def pointer(self) -> Point:
        with self._display_errors():
            return self._pointer.place()

    def owner_at(self, point: Point) -> int:
        with self._display_errors():
            return self._windows.owner_at(point)

    def focus_owner(self) -> int:
        with self._display_errors():
            return self._windows.focus_owner()

    def window_at(self, point: Point) -> int:
        with self._display_errors():
            return self._scenes.window_at(point)

    def focus_window(self) -> int:
        with self._display_errors():
            return self._scenes.focus_window()

    def key_destination(self) -> KeyDestination:
        with self._display_errors():
            return self._destinations.read()

    def describe_destination(self, destination: KeyDestination) -> str:
        with self._display_errors():
            return self._destinations.describe(destination)

    def pointer_grabbed(self) -> bool:
        with self._display_errors():
            return self._pointer_grab.grabbed()

    def pixels(self, area: Rect) -> bytes:
        with self._display_errors():
            return self._scenes.pixels(area, self.hints_of)

    @contextmanager
    def still(self) -> Iterator[None]:
        with self._display_errors(), self._display.grabbed():
            yield

    def open(self, what: str) -> str:
        return self._opener.open(what)

    def hurry(self) -> None:
        self._keyboard.hurry()

    def close(self) -> None:
        if self._closed:
            return
        self._display.check = lambda: None  # no stop may interrupt the restoring of the key map
        with (
            contextlib.suppress(TargetError),
            self._display_errors(),
        ):  # a display that is gone has nothing to restore
            self._keyboard.close()
        self._closed = True
        self._display.close()


class Pointer:
    """The core pointer of a display.

    Window managers hold a click back (a synchronous grab) until they have raised and focused the
    window; keys typed meanwhile would overtake the click. So `move` and `release` return only
    when the server has processed them, or after THAW_SECONDS.
    """

    def __init__(self, display: Display) -> None:
        self._display = display
        self._xtest: Any = display.extension(xcffib.xtest.key)
        self._released_at = 0.0
        self._down: set[Button] = set()

    @property
    def holding(self) -> bool:
        """Is a button held down, as in a drag?"""
        return bool(self._down)

    def move(self, point: Point) -> None:
        """Move to a screen pixel; returns when the server has it there, or after THAW_SECONDS."""
        self._xtest.FakeInput(MOTION, 0, 0, self._display.root, point.x, point.y, 0)
        self._until(lambda reply: (reply.root_x, reply.root_y) == (point.x, point.y), self._display.check)

    def press(self, button: Button) -> None:
        """Press a button, at the earliest CLICK_GAP after the last release."""
        while (left := CLICK_GAP - (time.monotonic() - self._released_at)) > 0:
            select.select([], [], [], min(left, _POLL_SECONDS))
            self._display.check()
        self._down.add(button)
        self._fake(PRESS, BUTTONS[button])
        self._display.sync()

    def release(self, button: Button) -> None:
        """Release a button; returns when the server has processed it, or after THAW_SECONDS."""
        self._down.discard(button)
        self._fake(RELEASE, BUTTONS[button])
        # The state has bits for the first five buttons only, from bit 8 on.
        bit = 1 << (BUTTONS[button] + 7) if BUTTONS[button] <= 5 else 0
        self._until(lambda reply: not reply.mask & bit)
        self._released_at = time.monotonic()

    def turn(self, dx: int, dy: int) -> None:
        """Turn the wheel by notches: `dy` positive is up, `dx` positive to the right."""
        for button, count in ((UP if dy > 0 else DOWN, abs(dy)), (RIGHT if dx > 0 else LEFT, abs(dx))):
            for _ in range(count):
                self._fake(PRESS, button)
                self._fake(RELEASE, button)
        self._display.sync()

    def codes(self, event: ButtonDown | ButtonUp | Wheel) -> tuple[int, ...]:
        """The X buttons that the event presses."""
        if not isinstance(event, Wheel):
            return (BUTTONS[event.button],)
        turned = {UP: event.dy > 0, DOWN: event.dy < 0, LEFT: event.dx < 0, RIGHT: event.dx > 0}
        return tuple(number for number, pressed in turned.items() if pressed)

    def place(self) -> Point:
        """The pointer's position in screen pixels."""
        reply = self._display.core.QueryPointer(self._display.root).reply()
        return Point(reply.root_x, reply.root_y)

    def _until(self, processed: Callable[[Any], bool], check: Callable[[], None] = lambda: None) -> None:
        deadline = time.monotonic() + THAW_SECONDS
        while not processed(self._display.core.QueryPointer(self._display.root).reply()):
            if time.monotonic() > deadline:
                return
            check()
            select.select([], [], [], _POLL_SECONDS)

    def _fake(self, kind: int, button: int) -> None:
        self._xtest.FakeInput(kind, button, 0, self._display.root, 0, 0, 0)


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


# X sends the replies and events of a connection in the order in which they occurred. So after any round
# trip of this connection everything pressed before has arrived, however late this process is scheduled.
# Raw events (XInput 2.1) arrive even while another client has grabbed the keyboard.
class EscapePresses:
    """Collects presses of the keycodes that `codes()` returns, and what the human does with other keys and devices.

    Without XInput 2.1 there is never anything, without 2.2 only ESC. `holding` tells whether a button is held down.
    """

    def __init__(
        self, display: Display, codes: Callable[[], frozenset[int]], holding: Callable[[], bool]
    ) -> None:
        self._display, self._codes = display, codes
        self._seen: list[bool] = []
        self._raw: list[Raw] = []
        self._opcode = 0
        self._own_devices: frozenset[int] = frozenset()
        self._means: HumanMeans | None = None
        name = xcffib.xinput.key.name
        extension = display.core.QueryExtension(len(name), name).reply()
        if extension.present:
            with contextlib.suppress(XInputMissing):
                self._select(extension.major_opcode, holding)

    def _select(self, opcode: int, holding: Callable[[], bool]) -> None:
        try:
            self._means = HumanMeans(self._display.connection, self._codes, holding)
            self._own_devices = self._means.own
        except XInputMissing:
            xinput = XInput(self._display.connection, 1)
            self._own_devices = injecting(xinput.devices())
            xinput.select({Devices.ALL_MASTERS: (Kind.KEY_PRESS,)})
        self._opcode = opcode
        self._display.divert = self._divert

    def taken(self) -> list[bool]:
        """The presses since the last call, in order: true for each injected through XTEST."""
        self._display.gather()
        seen, self._seen = self._seen, []
        return seen

    def used(self) -> Means | None:
        """What the human used since the last call, ESC apart; None when nothing."""
        self._display.gather()
        raw, self._raw = self._raw, []
        found: Means | None = None
        if self._means is not None:
            for event in raw:
                found = self._judged(self._means, event) or found
        return found

    def _judged(self, means: HumanMeans, event: Raw) -> Means | None:
        if event.kind != Kind.HIERARCHY:
            return means.used(event)
        means.learn_devices()
        self._own_devices = means.own
        return None

    def _divert(self, event: Any) -> bool:
        """Consume raw events. Works on the raw bytes for speed: every typed key passes here, too."""
        opcode, kind, detail, source = head(event)
        if opcode != self._opcode or kind not in _KINDS:
            return False
        own = kind != Kind.HIERARCHY and source in self._own_devices
        if kind == Kind.KEY_PRESS and detail in self._codes():
            self._seen.append(own)
        elif not own and len(self._raw) < _MOST:
            self._raw.append(read_event(event))
        return True
