"""Injects input events into a VNC server."""

from __future__ import annotations

import time
from collections import deque
from typing import assert_never

from desktop_agent.extras.sandbox.rfb import rfb_messages
from desktop_agent.extras.sandbox.rfb.key_codes import code_of
from desktop_agent.extras.sandbox.rfb.rfb_connection import FOR_INPUT, RfbConnection
from desktop_agent.platforms.base import Input
from desktop_agent.platforms.other_computer import InputFromAfar, one_screen, place_codes
from desktop_agent.platforms.vnc_server import VncServer
from desktop_agent.protocol.errors import Refused
from desktop_agent.protocol.geometry import Geometry, Point, Rect, Size
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
from desktop_agent.support import keysyms

ACCEPTED_SECONDS = 1.5
"""How long the server may take to have taken an event; the guard calls a hand stuck after 2 s."""
AT_ONCE = 2
"""Characters of a text that go out before the next look for a stop."""
LOOK_SECONDS = 0.5
RESTED_SECONDS = 0.6
"""A pointer that has come just now, as for a click (which may wait for 0.5 s), is in no earlier picture."""
POINTER_SIZE = 32
"""Pixels around the pointer's tip in which it may be drawn."""
_BITS: dict[Button, int] = {"left": 0, "middle": 1, "right": 2}
_UP, _DOWN, _LEFT, _RIGHT = 3, 4, 5, 6
_US_SHIFT = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyz`1234567890-=[]\\;',./",
        'ABCDEFGHIJKLMNOPQRSTUVWXYZ~!@#$%^&*()_+{}|:"<>?',
        strict=True,
    )
)
"""What a viewer at a US keyboard sends with Shift; servers make the keys of their own layout of it."""
_SHIFTED = frozenset(_US_SHIFT.values())
_SHIFTS = frozenset((keysyms.NAMED["shift_left"], keysyms.NAMED["shift_right"]))


class RfbInput(InputFromAfar):
    """Keyboard and pointer of a VNC server. Not for several threads.

    Whose window is where no VNC server tells. What can be held has a code; a character that has none is tapped, and so
    are the characters of a text and the wheel: down and up again in one message to the server.
    """

    def __init__(self, server: VncServer, human: Input | None = None) -> None:
        """See InputFromAfar."""
        super().__init__(human)
        self._connection = RfbConnection(server, FOR_INPUT)
        self._connection.follow()
        self._down = 0
        self._held: dict[str, int] = {}
        self._pressed_at = Point(0, 0)
        self._moved, self._came = 0.0, False
        self._rested: deque[Point] = deque(maxlen=4)

    def emit(self, event: InputEvent) -> None:
        self._emit(event)
        self._came = isinstance(event, Move)

    def _emit(self, event: InputEvent) -> None:
        match event:
            case Move(x, y):
                self._move(Point(x, y))
            case ButtonDown(button):
                self._press(1 << _bit(button))
            case ButtonUp(button):
                self._down &= ~(1 << _bit(button))
                self._point(self._down)
                self._accept()
            case Wheel(dx, dy):
                self._turn(_RIGHT if dx > 0 else _LEFT, abs(dx))
                self._turn(_UP if dy > 0 else _DOWN, abs(dy))
                self._accept()
            case KeyDown(key):
                keysym = self._keysym(key)
                if code_of(keysym) is None:
                    self._connection.send(_tap(keysym))
                else:
                    self._connection.send(rfb_messages.key(keysym, True))
                    self._held[key] = keysym
            case KeyUp(key):
                if (keysym := self._held.get(key, 0)) != 0:
                    self._connection.send(rfb_messages.key(keysym, False))
                    del self._held[key]
                self._accept()
            case Text(chunk):
                self._type(chunk)
            case _:
                assert_never(event)

    def _move(self, to: Point) -> None:
        if (rested := self._resting()) is not None:
            self._rested.append(rested)
        self.at, self._moved = to, time.monotonic()
        self._point(self._down)

    def _resting(self) -> Point | None:
        """Where the pointer is, unless it has only just come."""
        came = self._came and time.monotonic() - self._moved < RESTED_SECONDS
        return None if came else self.at

    def _press(self, bit: int) -> None:
        if not self._down:
            self._pressed_at = self._known_place()
        self._point(self._down | bit)
        self._down |= bit

    def _turn(self, bit: int, notches: int) -> None:
        at = self._known_place()
        notch = rfb_messages.pointer(self._down | 1 << bit, at) + rfb_messages.pointer(self._down, at)
        for _ in range(notches):
            self._connection.send(notch)

    def _point(self, buttons: int) -> None:
        self._connection.send(rfb_messages.pointer(buttons, self._known_place()))

    def _known_place(self) -> Point:
        if self.at is None:
            raise Refused("Where the pointer is, a VNC server does not tell.", "Give x and y.")
        return self.at

    def _type(self, text: str) -> None:
        taps = [_typed(each) for each in text]
        for start in range(0, len(taps), AT_ONCE):
            self.check(start)
            self._connection.send(b"".join(taps[start : start + AT_ONCE]))
            self._accept()

    def _keysym(self, key: str) -> int:
        shifted = not _SHIFTS.isdisjoint(self._held.values())
        return keysyms.of_key(_US_SHIFT.get(key, key) if shifted else key)

    def _accept(self) -> None:
        self._connection.sync(ACCEPTED_SECONDS)

    def codes(self, event: InputEvent) -> tuple[int, ...]:
        match event:
            case ButtonDown(button):
                at = self._pressed_at if self._down else self._known_place()
                return (_bit(button), *place_codes(at.x, at.y))
            case KeyDown(key):
                code = code_of(self._keysym(key))
                return () if code is None else (code,)
        return ()

    def geometry(self) -> Geometry:
        self._connection.poll()
        return one_screen(Size(*self._connection.size))

    def pixels(self, area: Rect) -> bytes:
        """See Input. Not told around the last places where the pointer rested.

        TigerVNC draws it into the pictures of all but the viewer that moved it last: into the brain's, not into ours.
        """
        near = area.grown(POINTER_SIZE, POINTER_SIZE)
        if any(each is not None and near.contains(each) for each in (*self._rested, self._resting())):
            return b""
        return self._connection.look(area, LOOK_SECONDS)

    def open(self, what: str) -> str:
        raise Refused(
            f"A VNC server cannot open {what!r} by itself.", "Use what its desktop offers: a menu, say."
        )

    def close(self) -> None:
        super().close()
        self._connection.close()


def _bit(button: Button) -> int:
    if button not in _BITS:
        raise Refused(f"VNC knows no {button} button.", "Use another way.")
    return _BITS[button]


def _typed(character: str) -> bytes:
    """A character's tap, with Shift where a US keyboard has it: some servers (QEMU) press the key and nothing else."""
    tap = _tap(keysyms.of_character(character))
    if character not in _SHIFTED:
        return tap
    return rfb_messages.key(keysyms.SHIFT, True) + tap + rfb_messages.key(keysyms.SHIFT, False)


def _tap(keysym: int) -> bytes:
    return rfb_messages.key(keysym, True) + rfb_messages.key(keysym, False)
