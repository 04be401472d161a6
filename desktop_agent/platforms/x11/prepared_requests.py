"""X requests that are built once and sent many times, as typing does for every few characters."""

from __future__ import annotations

from typing import Any

import xcffib
from xcffib.ffi import ffi

HEADER_BYTES = 32  # of every reply of the X protocol
GRAB_SERVER, UNGRAB_SERVER, QUERY_POINTER, GET_INPUT_FOCUS = (
    36,
    37,
    38,
    43,
)  # request numbers of the core X protocol
_NO_CONTENT = bytes(4)


class PreparedRequest:
    """One request with its whole content; libxcb fills in the first four bytes (opcodes and length)."""

    def __init__(
        self,
        connection: Any,
        opcode: int,
        content: bytes = _NO_CONTENT,
        *,
        extension: Any = None,
        asks: bool = False,
    ) -> None:
        """`asks` says that the server replies. With an xcffib `extension`, `opcode` is its minor opcode."""
        self._connection = connection
        self._raw = connection._conn
        self._size = len(content)
        self._content = ffi.new("char[]", content)
        self._parts = ffi.new("struct iovec[3]")  # libxcb uses two before the first, see xcbext.h
        self._from = self._parts + 2
        self._request = ffi.new("xcb_protocol_request_t *")
        self._request.count, self._request.opcode, self._request.isvoid = 1, opcode, not asks
        if extension is not None:
            self._request.ext = extension.c_key

    def send(self) -> int:
        """Queue the request, sent with the next flush or round trip; returns its number for `reply`."""
        part = self._parts[2]
        part.iov_base, part.iov_len = self._content, self._size  # libxcb counts down while it sends
        return int(xcffib.lib.xcb_send_request(self._raw, 0, self._from, self._request))

    def ask(self) -> bytes:
        """Send the request and wait; returns the first 32 bytes of its reply."""
        return self.reply(self.send())

    def reply(self, number: int) -> bytes:
        """Wait for the reply to the request of this number; returns its first 32 bytes. Raises XcffibException."""
        reply = xcffib.lib.xcb_wait_for_reply(self._raw, number, ffi.NULL)
        if reply == ffi.NULL:
            self._connection.invalid()  # raises what is wrong with the connection
            raise xcffib.XcffibException(f"request {self._request.opcode} has no reply")
        try:
            return bytes(ffi.buffer(reply, HEADER_BYTES))
        finally:
            xcffib.c_free(reply)
