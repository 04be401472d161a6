"""Lets a viewer of a screen see, and press something only while they have it: what a browser sends is read message by message.

Whoever has no control could ask for it in the page; that they cannot press anything is kept here. Lengths of messages:
RFC 6143, and the rfbproto registry for those that noVNC sends besides.
"""

from __future__ import annotations

from collections.abc import Callable

LARGEST = 1 << 20
"""Bytes of the longest message that is taken."""
_SET_PIXELS, _SET_ENCODINGS, _UPDATE, _KEY, _POINTER, _CUT_TEXT = 0, 2, 3, 4, 5, 6
_CONTINUOUS, _FENCE, _DESKTOP_SIZE, _QEMU = 150, 248, 251, 255
_ACTS = frozenset((_KEY, _POINTER, _CUT_TEXT, _DESKTOP_SIZE, _QEMU))
_FIXED = {_SET_PIXELS: 20, _UPDATE: 10, _KEY: 8, _POINTER: 6, _CONTINUOUS: 10, _QEMU: 12}
_GREETING = (12, 1, 1)
"""Bytes that a client says first, of which none can press anything: its version, a kind of security, whether it shares."""


class Unknown(Exception):
    """A client sent what is no message that is known."""


class ClientMessages:
    """What a browser sends to a VNC server without a password; `may_act()` says whether it may press something."""

    def __init__(self, may_act: Callable[[], bool]) -> None:
        self._may_act = may_act
        self._rest = bytearray()
        self._greeting = sum(_GREETING)

    def passed(self, data: bytes) -> bytes:
        """What of it goes on to the server. Raises Unknown."""
        out = bytearray()
        if self._greeting:
            out += data[: self._greeting]
            data, self._greeting = data[self._greeting :], self._greeting - min(self._greeting, len(data))
        self._rest += data
        while self._rest and (length := self._length()) and len(self._rest) >= length:
            message = bytes(self._rest[:length])
            del self._rest[:length]
            if message[0] not in _ACTS or self._may_act():
                out += message
        return bytes(out)

    def _length(self) -> int:
        """Bytes of the message that begins here, 0 while that cannot be told. Raises Unknown."""
        kind, have = self._rest[0], len(self._rest)
        if kind in _FIXED:
            return _FIXED[kind]
        length = 0
        if kind == _SET_ENCODINGS and have >= 4:
            length = 4 + 4 * int.from_bytes(self._rest[2:4], "big")
        elif kind == _CUT_TEXT and have >= 8:
            length = 8 + abs(int.from_bytes(self._rest[4:8], "big", signed=True))
        elif kind == _FENCE and have >= 9:
            length = 9 + self._rest[8]
        elif kind == _DESKTOP_SIZE and have >= 7:
            length = 8 + 16 * self._rest[6]
        elif kind not in (_SET_ENCODINGS, _CUT_TEXT, _FENCE, _DESKTOP_SIZE):
            raise Unknown(f"message {kind}")
        if length > LARGEST:
            raise Unknown(f"a message of {length} bytes")
        return length
