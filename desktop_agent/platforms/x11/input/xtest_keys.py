"""Sends key events through XTest; each distinct request is built once, as a text repeats the same few."""

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
    """Presses and releases keycodes; like every request these are sent with the next flush or round trip."""

    def __init__(self, display: Display) -> None:
        self._connection = display.connection
        self._extension: Any = display.extension(xcffib.xtest.key)
        self._root = display.root
        self._request = cache(self._build)

    def fake(self, kind: int, code: int) -> None:
        """Press or release a keycode; `kind` is PRESS or RELEASE."""
        self._request(kind, code).send()

    def _build(self, kind: int, code: int) -> PreparedRequest:
        content = _FORM.pack(kind, code, 0, self._root, 0, 0, 0)
        return PreparedRequest(self._connection, _FAKE_INPUT, content, extension=self._extension)
