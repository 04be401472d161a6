"""The messages of the doctor's window: a JSON line for each question."""

from __future__ import annotations

import msgspec

from desktop_agent.protocol.geometry import Rect

BACKGROUND = (231, 60, 126)
"""Red, green and blue of the window: found nowhere else on a screen."""


class Control(msgspec.Struct, frozen=True):
    """A control in the window: its name, the roles it may have in the accessibility tree, and its place (pixels)."""

    name: str
    roles: tuple[str, ...]
    bounds: Rect


class Monitor(msgspec.Struct, frozen=True):
    """A monitor as the window toolkit knows it; `scale` is 1.5 for 150 %."""

    bounds: Rect
    scale: float


class WindowReport(msgspec.Struct, frozen=True):
    """How the window is at the `number`th question: where, what is in it, what was typed, what is held down in it.

    `presses` counts keys and buttons that went down, `escapes` the Esc key among them; `excluded` tells
    whether the system takes the window out of captures.
    """

    bounds: Rect
    controls: tuple[Control, ...]
    monitors: tuple[Monitor, ...]
    text: str = ""
    held: tuple[str, ...] = ()
    presses: int = 0
    escapes: int = 0
    active: bool = False
    excluded: bool = False
    pid: int = 0
    number: int = 0
