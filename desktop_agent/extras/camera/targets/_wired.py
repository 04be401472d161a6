"""What hand and guard reach a computer with that is worked over a wire: it is the same for all targets that are."""

from __future__ import annotations

import os

from desktop_agent.platforms import host
from desktop_agent.platforms.base import Input, InputWatch, Releaser
from desktop_agent.platforms.other_computer import WatchFromHere
from desktop_agent.protocol.errors import TargetError
from desktop_agent.protocol.geometry import Size
from desktop_agent.support import plugins
from desktop_agent.targets.base import Address
from desktop_agent.wire.base import KeyboardOutput

WIRE, WIDTH, HEIGHT = "DESKTOP_AGENT_WIRE", "DESKTOP_AGENT_WIRE_WIDTH", "DESKTOP_AGENT_WIRE_HEIGHT"
"""Variables of an address: the wire's name, and the size of the screen in pixels."""


def attach(address: Address) -> Input:
    """What injects over the address's wire, in the hand's process. Raises TargetError, ConfigError."""
    keyboard = _reached(address)
    size = Size(int(address.environment[WIDTH]), int(address.environment[HEIGHT]))
    # The hand hears the user's ESC by itself, too, as it does on their own display.
    return keyboard.input(size, host.desktop().attach(os.environ) if host.has_desktop() else None)


def watch(address: Address) -> InputWatch:
    """What watches the user's own display for ESC and releases over the wire, in the guard's process. Raises TargetError."""
    desktop = host.desktop().watch(os.environ) if host.has_desktop() else None
    return WatchFromHere(_reached(address).releaser(), desktop)


def releaser(address: Address) -> Releaser:
    """What releases over the wire when the guard is gone, in the hand's process. Raises TargetError."""
    return _reached(address).releaser()


def _reached(address: Address) -> KeyboardOutput:
    name = address.environment.get(WIRE, "")
    if not name:
        raise TargetError("The address names no wire.", "Start the program again.")
    found: KeyboardOutput = plugins.load("wire", name).reached(address.environment, address.secrets)
    return found
