"""The messages of a client that press and release (RFC 6143, 7.5.4 and 7.5.5)."""

from __future__ import annotations

import struct

from desktop_agent.protocol.geometry import Point


def key(keysym: int, down: bool) -> bytes:
    """A KeyEvent."""
    return struct.pack(">BBxxI", 4, down, keysym)


def pointer(buttons: int, at: Point) -> bytes:
    """A PointerEvent: where it is, and a bit for each button that is down, the left one's first."""
    return struct.pack(">BBHH", 5, buttons, at.x, at.y)
