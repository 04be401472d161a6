"""Messages on the pipe between brain and hand: four bytes of length, then MessagePack."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any, BinaryIO, TypeAlias

import msgspec

from desktop_agent.protocol.batch import Batch, BatchDone, Broken, Confine, OpResult, Progress, Protect, Ready
from desktop_agent.protocol.errors import HandError
from desktop_agent.targets.base import Address

LONGEST = 16_000_000


class Hello(msgspec.Struct, frozen=True, tag="hello"):
    """The first message to a hand: where its inputs are, and the most events a second."""

    address: Address
    max_rate: float


ToHand: TypeAlias = Hello | Batch | Protect | Confine
FromHand: TypeAlias = Ready | Progress | OpResult | BatchDone | Broken


class Writer:
    """Sends messages; any thread may."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._lock = threading.Lock()

    def send(self, message: ToHand | FromHand) -> None:
        """Raises HandError when the other side is gone."""
        body = msgspec.msgpack.encode(message)
        if len(body) > LONGEST:
            raise HandError(
                f"A message of {len(body)} bytes is too long for the hand.", "Send fewer operations."
            )
        with self._lock:
            self._write(memoryview(len(body).to_bytes(4, "little") + body))

    def _write(self, data: memoryview) -> None:
        try:
            while data:
                data = data[os.write(self._fd, data) :]
        except OSError as error:
            raise HandError(
                "The other side of the hand's pipe is gone.", "Reset the stop to start it again."
            ) from error


def receiver(stream: BinaryIO, kinds: Any) -> Callable[[], Any]:
    """A function that returns the next message of one of `kinds`, or None when the other side is gone.

    Raises HandError for anything else.
    """
    decoder = msgspec.msgpack.Decoder(kinds)

    def receive() -> Any:
        head = stream.read(4)
        length = int.from_bytes(head, "little")
        if length > LONGEST:
            raise HandError(f"A message claims {length} bytes.", "Start the program again.")
        body = stream.read(length) if len(head) == 4 else b""
        if len(head) < 4 or len(body) < length:
            return None
        try:
            return decoder.decode(body)
        except msgspec.DecodeError as error:
            raise HandError(
                f"A message to or from the hand is malformed: {error}.", "Report this."
            ) from error

    return receive
