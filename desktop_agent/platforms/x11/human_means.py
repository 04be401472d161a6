"""Judges raw device events: which of them are the human's, and what the human used.

A device that XTEST injects with is the hand's; every other is the human's. For the guard, which watches on a
connection of its own, and for the hand, which looks between the characters it types.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from desktop_agent.platforms.base import Means
from desktop_agent.platforms.pointer_movement import SLACK, Movement
from desktop_agent.platforms.x11.xinput2 import Devices, Kind, Raw, XInput, injecting
from desktop_agent.protocol.geometry import Point

# Of XI2.h: types of a device's classes, and the mode of an axis.
_VALUATOR, _SCROLL = 2, 3
_ABSOLUTE = 1
_X, _Y = 0, 1

PRESSES = (Kind.KEY_PRESS, Kind.BUTTON_PRESS, Kind.MOTION, Kind.TOUCH_BEGIN)
"""The kinds of raw events that the human makes."""


class HumanMeans:
    """The judgement for one connection. Raises XcffibException where XInput 2.2 is missing.

    `escapes` gives the keycodes that stop, and so take nothing over; `holding` tells whether the hand
    holds a button down. Selects the raw events of all devices on the connection.
    """

    def __init__(
        self, connection: Any, escapes: Callable[[], frozenset[int]], holding: Callable[[], bool]
    ) -> None:
        self._connection, self._escapes, self._holding = connection, escapes, holding
        self._xinput = XInput(connection, 2)
        screen = connection.get_setup().roots[connection.pref_screen]
        self._root, self._size = screen.root, (screen.width_in_pixels, screen.height_in_pixels)
        self._xinput.select({Devices.ALL_MASTERS: PRESSES, Devices.ALL: (Kind.HIERARCHY,)})
        self.learn_devices()

    def learn_devices(self) -> None:
        """To be called after an event of the kind HIERARCHY: a device has come or gone."""
        devices = self._xinput.devices()
        self.own = injecting(devices)
        """The numbers of the devices that XTEST injects with."""
        self._pointers = {info.deviceid: DeviceAxes(list(info.classes), self._size) for info in devices}

    def used(self, event: Raw) -> Means | None:
        """What the human used, if the event tells of anything."""
        if event.source in self.own:
            return None
        match event.kind:
            case Kind.KEY_PRESS:
                return None if event.detail in self._escapes() else "keyboard"
            case Kind.BUTTON_PRESS | Kind.TOUCH_BEGIN:
                return "mouse"
            case Kind.MOTION if self._moved(event):
                return "mouse"
        return None

    def _moved(self, event: Raw) -> bool:
        pointer = self._pointers.get(event.source)
        return pointer is None or pointer.moved(event.axes, self.pointer, self._holding())

    def pointer(self) -> Point:
        """Where the pointer is."""
        found = self._connection.core.QueryPointer(self._root).reply()
        return Point(found.root_x, found.root_y)


class DeviceAxes:
    """A device's axes: which scroll, and whether they say how far it moved or where it is."""

    def __init__(self, classes: Sequence[Any], size: tuple[int, int]) -> None:
        self._scrolling = frozenset(each.number for each in classes if each.type == _SCROLL)
        plane = {each.number: each for each in classes if each.type == _VALUATOR and each.number in (_X, _Y)}
        self._absolute = len(plane) == 2 and all(axis.mode == _ABSOLUTE for axis in plane.values())
        self._scales = {n: _scale(axis, size[n]) for n, axis in plane.items()} if self._absolute else {}
        self._last = {_X: 0.0, _Y: 0.0} | {n: self._pixels(n, _number(a.value)) for n, a in plane.items()}
        self._confused = False
        self._steps = Movement()
        self._places = Movement((self._last[_X], self._last[_Y]) if self._absolute else None)

    def moved(self, axes: dict[int, float], at: Callable[[], Point], holding: bool) -> bool:
        """It scrolled, or moved farther than a resting hand does. `at` asks where the pointer is.

        A device that says where it is takes the pointer there, however little it moved: while the
        hand is `holding` a button, in a drag, that is never nothing.
        """
        if any(axes.get(number) for number in self._scrolling):
            return True
        if not axes.keys() & {_X, _Y}:
            return False  # pressure or tilt
        now = time.monotonic()
        if not self._absolute and not self._says_places(axes, at):
            return self._steps.by(axes.get(_X, 0.0), axes.get(_Y, 0.0), now)
        self._last |= {n: self._pixels(n, value) for n, value in axes.items() if n in (_X, _Y)}
        return self._places.to(self._last[_X], self._last[_Y], now) or holding

    def _says_places(self, axes: dict[int, float], at: Callable[[], Point]) -> bool:
        """True of a device that calls places steps, as Xvnc's does: the pointer is where it says.

        A mouse could seem to when it starts in the corner of the screen, until it first goes back.
        """
        x, y = axes.get(_X, 0.0), axes.get(_Y, 0.0)
        if min(x, y) < 0:
            self._confused = False
        elif not self._confused and max(x, y) > SLACK:
            self._confused = at() == Point(round(x), round(y))
        return self._confused

    def _pixels(self, axis: int, value: float) -> float:
        least, scale = self._scales.get(axis, (0.0, 1.0))
        return (value - least) * scale


def _scale(axis: Any, size: int) -> tuple[float, float]:
    """An axis's least value, and the pixels to a unit; without a range the units are pixels."""
    least, most = _number(axis.min), _number(axis.max)
    return (least, size / (most - least + 1)) if most > least else (0.0, 1.0)


def _number(fixed: Any) -> float:
    """FP3232 of XI2proto.h: an integer and 2^-32 of one."""
    return float(fixed.integral + fixed.frac / 2**32)
