"""Key events through XTest, each request built once: a text is thousands of the same few."""

from __future__ import annotations

import struct
from functools import cache
from typing import Any

import xcffib
import xcffib.xtest

from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.prepared_requests import PreparedRequest

PRESS, RELEASE = 2, 3  # event codes KeyPress and KeyRelease of the X protocol
_FAKE_INPUT = 2  # request number in the XTEST protocol
# The opcodes and the length, which libxcb fills in; then type, detail, delay, root, x, y, device.
_FORM = struct.Struct("=4xBB2xII8xhh7xB")


class XTestKeys:
    """Presses and releases key codes; like every request they are on their way with the next round trip."""

    def __init__(self, display: Display) -> None:
        self._connection = display.connection
        self._extension: Any = display.extension(xcffib.xtest.key)
        self._root = display.root
        self._request = cache(self._build)

    def fake(self, kind: int, code: int) -> None:
        """`kind` is PRESS or RELEASE."""
        self._request(kind, code).send()

    def _build(self, kind: int, code: int) -> PreparedRequest:
        content = _FORM.pack(kind, code, 0, self._root, 0, 0, 0)
        return PreparedRequest(self._connection, _FAKE_INPUT, content, extension=self._extension)
