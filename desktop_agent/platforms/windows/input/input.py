"""Injects input events into a Windows session through SendInput.

Not through `pynput`: it sends one record per call, so that a stop could come between press and release, and without
a tag, so that our hook could not tell its events from other programs'.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import assert_never

from desktop_agent.platforms.base import Input, KeyDestination
from desktop_agent.platforms.windows.input import sendinput_records
from desktop_agent.platforms.windows.input.keycodes import BUTTON_CODES, CODES, PACKET
from desktop_agent.platforms.windows.input.sendinput_records import Record
from desktop_agent.platforms.windows.opener import WindowsOpener
from desktop_agent.platforms.windows.user32 import User32
from desktop_agent.protocol.geometry import Geometry, Point, layout
from desktop_agent.protocol.input_events import (
    ButtonDown,
    ButtonUp,
    InputEvent,
    KeyDown,
    KeyUp,
    Move,
    Text,
    Wheel,
)

PIECE = 2
"""Characters sent between two stop checks, so at most so many follow a stop."""


class WindowsInput(Input):
    """Keyboard and pointer of this process's session. Not thread-safe."""

    def __init__(self, user32: User32) -> None:
        self._user32 = user32
        self._opener = WindowsOpener(os.environ, start)
        self._escapes = EscapeState(lambda: user32.pressed_or_down(CODES["escape"]))
        self._check: Callable[[int], None] = lambda _: None

    def emit(self, event: InputEvent) -> None:
        if isinstance(event, Text):
            self._type(event.chunk)
            return
        if event == KeyDown("escape"):
            self._escapes.own_press()
        self._user32.send(tuple(self._records(event)))
        if event == KeyUp("escape"):
            self._escapes.own_release()

    def escapes(self) -> Sequence[bool]:
        return (False,) if self._escapes.pressed() else ()

    def _records(self, event: Move | ButtonDown | ButtonUp | Wheel | KeyDown | KeyUp) -> Iterator[Record]:
        match event:
            case Move():
                yield sendinput_records.mouse_move(event, self.geometry().bounds)
            case ButtonDown() | ButtonUp():
                yield sendinput_records.mouse_button(event, self._user32.buttons_swapped())
            case Wheel():
                yield from sendinput_records.mouse_wheel(event)
            case KeyDown(name) | KeyUp(name):
                stroke = sendinput_records.stroke(name, self._user32.code_of)
                yield from sendinput_records.key(stroke, self._user32.scan_code, up=isinstance(event, KeyUp))
            case _:
                assert_never(event)

    def _type(self, chunk: str) -> None:
        for start in range(0, len(chunk), PIECE):
            self._check(start)
            piece = chunk[start : start + PIECE]
            self._user32.send(tuple(chain.from_iterable(map(sendinput_records.character, piece))))

    def double_click_seconds(self) -> float:
        return self._user32.double_click_seconds()

    def check_with(self, check: Callable[[int], None]) -> None:
        self._check = check

    def codes(self, event: InputEvent) -> tuple[int, ...]:
        """The virtual keys that an event presses, modifiers first; () for pointer events.

        A text presses VK_PACKET for each character: a process that dies within a call leaves that down.
        """
        if isinstance(event, Text):
            return (PACKET,)
        if isinstance(event, ButtonDown | ButtonUp):
            return (BUTTON_CODES[event.button],)
        if not isinstance(event, KeyDown | KeyUp):
            return ()
        stroke = sendinput_records.stroke(event.key, self._user32.code_of)
        return (*stroke.modifiers, stroke.code)

    def geometry(self) -> Geometry:
        return layout(self._user32.monitors())

    def pointer(self) -> Point:
        return self._user32.pointer()

    def owner_at(self, point: Point) -> int:
        return self._user32.owner(self.window_at(point))

    def focus_owner(self) -> int:
        return self._user32.owner(self.focus_window())

    def window_at(self, point: Point) -> int:
        return self._user32.window_at(point)

    def focus_window(self) -> int:
        return self._user32.foreground()

    def key_destination(self) -> KeyDestination | None:
        focus, menu = self._user32.keyboard_focus()
        return KeyDestination(focus, menu) if focus or menu else None

    def describe_destination(self, destination: KeyDestination) -> str:
        if destination.grabbed:
            return "a menu that is open"
        return f"“{self._user32.title(destination.window) or 'a field without a name'}”"

    def open(self, what: str) -> str:
        return self._opener.open(what)


def start(what: str) -> None:
    """Open a program, file or address through the Windows shell. Raises OSError."""
    os.startfile(what)  # type: ignore[attr-defined,unused-ignore]


# The guard's hook is told of each press, in order; this is for when Windows has dropped that hook, or its
# process does not get its turn. Source: GetAsyncKeyState of the Windows API (winuser.h).
class EscapeState:
    """`ask` tells whether the key was pressed since it was asked last, and whether it is down."""

    def __init__(self, ask: Callable[[], tuple[bool, bool]]) -> None:
        self._ask = ask
        self._down = ask()[1]
        self._own = False
        """From our own press until the key has been seen up after its release: until then the state is ours."""
        self._released = True

    def own_press(self) -> None:
        """We are about to press it."""
        self._own, self._released = True, False

    def own_release(self) -> None:
        """We have released it."""
        self._released = True

    def pressed(self) -> bool:
        """True once for each press by somebody else that can be told from ours."""
        was, down = self._ask()
        if self._own:
            self._own = not self._released or down
            self._down = down
            return False
        fresh = was or (down and not self._down)
        self._down = down
        return fresh
