"""Messages of the orchestrator: four bytes that tell the length (the highest first), then a JSON object in UTF-8."""

from __future__ import annotations

import json
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing is slow to load, and what is here is loaded at each start of a sandbox
    from typing import IO, Any, TypeAlias

    Message: TypeAlias = dict[str, Any]

MOST = 8_000_000
"""Bytes of one message."""
_LENGTH = struct.Struct(">I")


class BrokenMessage(ValueError):
    """What was read is no message: too long, cut off, or not a JSON object."""


def encode(message: Message) -> bytes:
    """The bytes of a message. Raises BrokenMessage for one that is too long."""
    # Escaped: half of a surrogate pair, which a file's name may hold, has no bytes in UTF-8.
    body = json.dumps(message, separators=(",", ":")).encode("ascii")
    if len(body) > MOST:
        raise BrokenMessage(f"a message of {len(body)} bytes; at most {MOST} are sent")
    return _LENGTH.pack(len(body)) + body


def send(stream: IO[bytes], message: Message) -> None:
    """Write a message. Raises BrokenMessage, OSError."""
    stream.write(encode(message))
    stream.flush()


def receive(stream: IO[bytes]) -> Message | None:
    """Read the next message; None at the end of the stream. Raises BrokenMessage, OSError."""
    head = stream.read(_LENGTH.size)
    if not head:
        return None
    if len(head) < _LENGTH.size:
        raise BrokenMessage("the length of a message is cut off")
    (length,) = _LENGTH.unpack(head)
    if length > MOST:
        raise BrokenMessage(f"a message of {length} bytes; at most {MOST} are read")
    body = stream.read(length)
    if len(body) < length:
        raise BrokenMessage("a message is cut off")
    return decode(body)


def decode(body: bytes) -> Message:
    """The message that a body is. Raises BrokenMessage."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BrokenMessage(f"a message is not JSON: {error}") from None
    if not isinstance(message, dict):
        raise BrokenMessage("a message is not a JSON object")
    return message
