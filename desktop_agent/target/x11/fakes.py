"""Key events through XTest, each request built once: a text is thousands of the same few."""

from __future__ import annotations

import struct
from functools import cache
from typing import Any

import xcffib
import xcffib.xtest
from xcffib.ffi import ffi

from desktop_agent.target.x11.connection import Display

PRESS, RELEASE = 2, 3  # event codes KeyPress and KeyRelease of the X protocol
_FAKE_INPUT = 2  # request number in the XTEST protocol
# libxcb fills in the first four bytes (opcodes and length); then type, detail, delay, root, x, y, device.
_FORM = struct.Struct("=4xBB2xII8xhh7xB")


class FakeKeys:
    """Presses and releases key codes; like every request they are on their way with the next round trip."""

    def __init__(self, display: Display) -> None:
        self._connection = display.connection
        self._extension: Any = display.extension(xcffib.xtest.key)
        self._root = display.root
        self._request = cache(self._build)

    def fake(self, kind: int, code: int) -> None:
        """`kind` is PRESS or RELEASE."""
        request, parts, data = self._request(kind, code)
        parts[2].iov_base, parts[2].iov_len = data, _FORM.size  # libxcb counts down while it sends
        self._connection.send_request(0, parts + 2, request)

    def _build(self, kind: int, code: int) -> tuple[Any, Any, Any]:
        """A request, room for its parts (libxcb uses two before the first, see xcbext.h) and its bytes."""
        data = ffi.new("char[]", _FORM.pack(kind, code, 0, self._root, 0, 0, 0))
        request = ffi.new("xcb_protocol_request_t *")
        request.count, request.opcode, request.isvoid = 1, _FAKE_INPUT, True
        request.ext = self._extension.c_key
        return request, ffi.new("struct iovec[3]"), data
