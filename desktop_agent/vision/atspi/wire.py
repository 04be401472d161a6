"""Encodes and decodes D-Bus messages: only what reading an accessibility tree needs, and fast.

Bodies in general go through jeepney; the replies that come by the thousand (cache items, extents,
references) have decoders of their own. Source: D-Bus specification, "Message Protocol".
"""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import Any, NamedTuple

from jeepney.low_level import Endianness, parse_signature  # type: ignore[import-untyped]

EXTENTS = "(iiii)"

_RETURN, _ERROR, _SIGNAL = 2, 3, 4
_PATH, _MEMBER, _ERROR_NAME, _REPLY_SERIAL, _SENDER, _SIGNATURE = 1, 3, 4, 5, 7, 8
_KEPT = frozenset((_PATH, _MEMBER, _ERROR_NAME, _SENDER))
_U32 = struct.Struct("<I")
_HEAD = struct.Struct("<cBBBIII")
_I32 = struct.Struct("<i")
_F64 = struct.Struct("<d")
_FOUR = struct.Struct("<iiii")


class Call(NamedTuple):
    """A method call: bus name, object, interface, method, and arguments by D-Bus signature."""

    destination: str
    path: str
    interface: str
    member: str
    signature: str = ""
    values: tuple[Any, ...] = ()


class BusReply(NamedTuple):
    """An answer: `serial` of the call, `error` its D-Bus name ("" when it went well), and the body."""

    serial: int
    error: str
    signature: str
    body: bytes

    def values(self) -> tuple[Any, ...]:
        """The decoded body; () for an error."""
        if self.error or not self.signature:
            return ()
        return tuple(_kind(self.signature).parse_data(self.body, 0, Endianness.little)[0])

    def extents(self) -> tuple[int, int, int, int] | None:
        """x, y, width, height of a GetExtents reply; None when it is something else."""
        if self.signature != EXTENTS:
            return None
        return _FOUR.unpack_from(self.body)


class Signal(NamedTuple):
    """A D-Bus signal: the sender's bus name, the object, the kind of event (member) and the body."""

    sender: str
    path: str
    member: str
    signature: str
    body: bytes


@lru_cache(maxsize=64)
def _kind(signature: str) -> Any:
    return parse_signature(list(f"({signature})"))


def _body(signature: str, values: tuple[Any, ...]) -> bytes:
    return bytes(_kind(signature).serialise(values, 0, Endianness.little)) if signature else b""


@lru_cache(maxsize=256)
def _plain_body(signature: str, values: tuple[Any, ...]) -> bytes:
    return _body(signature, values)


@lru_cache(maxsize=4096)
def _field(code: int, kind: str, text: str) -> bytes:
    raw = text.encode()
    length = bytes((len(raw),)) if kind == "g" else _U32.pack(len(raw))
    return bytes((code, 1, ord(kind), 0)) + length + raw + b"\0"


@lru_cache(maxsize=1024)
def _rest_of_fields(length: int, interface: str, member: str, destination: str, signature: str) -> bytes:
    """The header fields after a first one of `length` bytes; cached, as thousands of calls share them."""
    fields = [_field(2, "s", interface), _field(3, "s", member), _field(6, "s", destination)]
    fields += [_field(8, "g", signature)] if signature else []
    rest = b""
    for each in fields:
        rest += b"\0" * (-(length + len(rest)) % 8) + each
    return rest


def encode(call: Call, serial: int) -> bytes:
    """A method call message, little-endian."""
    # Most calls have the same few arguments, so bodies are cached; lists are not hashable.
    plain = call.signature.isalpha() and "a" not in call.signature
    body = (_plain_body if plain else _body)(call.signature, call.values)
    header = _field(1, "o", call.path)
    header += _rest_of_fields(len(header), call.interface, call.member, call.destination, call.signature)
    # The padding before the body does not count in the length of the fields.
    head = _HEAD.pack(b"l", 1, 0, 1, len(body), serial, len(header))
    return head + header + b"\0" * (-len(header) % 8) + body


def message_size(buffer: bytes | bytearray, start: int) -> int:
    """Length in bytes of the message at `start`; 0 when its fixed header has not arrived yet.

    Raises ValueError for a byte order other than this machine's (every peer is local).
    """
    if len(buffer) - start < 16:
        return 0
    order, _, _, _, body, _, fields = _HEAD.unpack_from(buffer, start)
    if order != b"l":
        raise ValueError("a D-Bus peer of another byte order")
    return int(16 + fields + (-fields % 8) + body)


def decode(message: bytes) -> BusReply | Signal | None:
    """Decode a message: a reply, an error reply or a signal; None for method calls."""
    _, kind, _, _, length, _, fields = _HEAD.unpack_from(message)
    if kind not in (_RETURN, _ERROR, _SIGNAL):
        return None
    found = _fields(message, 16 + fields)
    body = message[len(message) - length :]
    signature = str(found.get(_SIGNATURE, ""))
    if kind == _SIGNAL:
        return Signal(
            str(found.get(_SENDER)), str(found.get(_PATH)), str(found.get(_MEMBER)), signature, body
        )
    error = str(found.get(_ERROR_NAME, "")) if kind == _ERROR else ""
    return BusReply(int(found.get(_REPLY_SERIAL, 0)), error, signature, body)


def _fields(message: bytes, end: int) -> dict[int, str | int]:
    found: dict[int, str | int] = {}
    position = 16
    while position < end:
        position += -position % 8
        code, kind = message[position], message[position + 2]
        position += 4
        if kind == 103:  # g: a signature, its length is one byte
            size = message[position]
            found[code] = message[position + 1 : position + 1 + size].decode()
            position += size + 2
            continue
        (number,) = _U32.unpack_from(message, position)
        position += 4
        if kind == 117:  # u
            found[code] = number
            continue
        if code in _KEPT:
            found[code] = message[position : position + number].decode()
        position += number + 1
    return found


def string(body: bytes, position: int) -> str:
    """The string at a position of a body."""
    (size,) = _U32.unpack_from(body, position)
    return body[position + 4 : position + 4 + size].decode(errors="replace")


def references(reply: BusReply) -> list[tuple[str, str]]:
    """Bus names and paths of an object reference or an array of them; [] for any other reply."""
    if reply.error:
        return []
    if reply.signature == "(so)":
        return [_reference(reply.body, 0)[:2]]
    if reply.signature != "a(so)":
        return []
    body, found = reply.body, []
    position, end = 8, 8 + _U32.unpack_from(body)[0]
    while position < end:
        name, path, position = _reference(body, position + -position % 8)
        found.append((name, path))
    return found


def _reference(body: bytes, position: int) -> tuple[str, str, int]:
    """Bus name and path of the struct at `position`, and where it ends."""
    path = position + _U32.unpack_from(body, position)[0] + 5
    path += -path % 4
    return string(body, position), string(body, path), path + _U32.unpack_from(body, path)[0] + 5


def strings(reply: BusReply) -> list[str]:
    """An array of strings; [] for any other reply."""
    return list(reply.values()[0]) if reply.signature == "as" else []


def reference(reply: BusReply) -> str:
    """The path of a property that is an object reference; "" for any other reply."""
    # A variant: the length of its signature, the signature, a zero; the value is aligned to 8.
    if reply.error or reply.signature != "v" or not reply.body.startswith(b"\4(so)\0"):
        return ""
    return _reference(reply.body, 8)[1]


def text(reply: BusReply) -> str:
    """A string, or a property that is one; "" for any other reply."""
    if reply.error:
        return ""
    if reply.signature == "s":
        return string(reply.body, 0)
    return string(reply.body, 4) if _holds(reply, b"s") else ""


def number(reply: BusReply) -> int:
    """An integer, or a property that is one; 0 for any other reply."""
    if reply.error:
        return 0
    if reply.signature in ("i", "u"):
        return int(_I32.unpack_from(reply.body)[0])
    return int(_I32.unpack_from(reply.body, 4)[0]) if _holds(reply, b"i") else 0


def decimal(reply: BusReply) -> float | None:
    """A property that is a floating-point number; None for any other reply."""
    return float(_F64.unpack_from(reply.body, 8)[0]) if not reply.error and _holds(reply, b"d") else None


def _holds(reply: BusReply, kind: bytes) -> bool:
    """True when the reply is a variant of this one-letter type."""
    return reply.signature == "v" and reply.body[:3] == b"\1" + kind + b"\0"


def bits(reply: BusReply) -> int:
    """The 64-bit state set of a GetState reply; 0 for any other reply."""
    if reply.error or reply.signature != "au":
        return 0
    count = _U32.unpack_from(reply.body)[0] // 4
    words = struct.unpack_from(f"<{min(count, 2)}I", reply.body, 4)
    return sum(word << 32 * place for place, word in enumerate(words))
