"""The pipe's framing, with everything that can be wrong about it."""

from __future__ import annotations

import os
from typing import Any

import pytest

from desktop_agent.hand.ipc.framing import LONGEST, FromHand, ToHand, Writer, receiver
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch, Broken, OpResult, Protect
from desktop_agent.protocol.errors import HandError
from desktop_agent.protocol.geometry import Rect, Size, Viewport

BATCH = Batch(
    "b",
    (ops.Type("wörds\n"), ops.Click(1, 2)),
    Viewport(Rect(-5, 0, 9, 9), Size(9, 9), 7),
    {"e": Rect(1, 2, 3, 4)},
)


def sent(*chunks: bytes, kinds: Any = ToHand) -> Any:
    """What a receiver makes of these bytes."""
    reader, writer = os.pipe()
    for chunk in chunks:
        os.write(writer, chunk)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        return receiver(stream, kinds)()


@pytest.mark.parametrize(
    ("message", "kinds"),
    [(BATCH, ToHand), (Protect((4,)), ToHand), (OpResult("b", 0, "done"), FromHand), (Broken("x"), FromHand)],
)
def test_messages_arrive_as_they_were(message: Any, kinds: Any) -> None:
    reader, writer = os.pipe()
    Writer(writer).send(message)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        receive = receiver(stream, kinds)
        assert receive() == message
        assert receive() is None


def test_an_end_in_the_middle_is_an_end() -> None:
    assert sent(b"") is None
    assert sent(b"\x05\x00") is None
    assert sent(b"\x05\x00\x00\x00ab") is None


def test_anything_else_is_an_error() -> None:
    with pytest.raises(HandError, match="malformed"):
        sent(b"\x02\x00\x00\x00{}")
    with pytest.raises(HandError, match="claims"):
        sent((LONGEST + 1).to_bytes(4, "little"))


def test_a_reader_that_is_gone_is_told() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with pytest.raises(HandError, match="gone"):
        Writer(writer).send(BATCH)
    os.close(writer)
