"""A viewer without control presses nothing, however its messages are cut, and nonsense ends it."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_agent.extras.console.page.viewing_only import LARGEST, ClientMessages, Unknown

GREETING = b"RFB 003.008\n" + b"\x01" + b"\x01"
UPDATE = struct.pack(">BBHHHH", 3, 1, 0, 0, 10, 10)
KEY = struct.pack(">BBxxI", 4, 1, 0x61)
POINTER = struct.pack(">BBHH", 5, 1, 3, 4)
CUT_TEXT = struct.pack(">BxxxI", 6, 5) + b"\x05\x04\x05hi"
EXTENDED_CUT_TEXT = struct.pack(">Bxxxi", 6, -8) + bytes(8)
ENCODINGS = struct.pack(">BxH3i", 2, 3, 0, 1, -223)
PIXELS = bytes(20)
FENCE = struct.pack(">BxxxIB", 248, 1, 4) + b"abcd"
SIZE = struct.pack(">BxHHBx", 251, 100, 100, 1) + bytes(16)
QEMU = struct.pack(">BBHII", 255, 0, 1, 0x61, 30)
CONTINUOUS = bytes([150]) + bytes(9)
SEEN, ACTS = (
    [UPDATE, ENCODINGS, PIXELS, FENCE, CONTINUOUS],
    [KEY, POINTER, CUT_TEXT, EXTENDED_CUT_TEXT, SIZE, QEMU],
)


def cut(data: bytes, sizes: list[int]) -> list[bytes]:
    pieces = []
    for size in sizes:
        pieces.append(data[:size])
        data = data[size:]
    return [*pieces, data]


@given(st.lists(st.sampled_from(SEEN + ACTS), max_size=20), st.lists(st.integers(0, 30), max_size=40))
def test_what_presses_something_is_left_out_wherever_it_is_cut(
    messages: list[bytes], sizes: list[int]
) -> None:
    sent = GREETING + b"".join(messages)
    for may in (True, False):
        through = ClientMessages(lambda may=may: may)  # type: ignore[misc]
        passed = b"".join(through.passed(piece) for piece in cut(sent, sizes))
        assert passed == GREETING + b"".join(each for each in messages if may or each in SEEN)


def test_control_may_come_and_go_between_messages() -> None:
    allowed = [True]
    through = ClientMessages(lambda: allowed[0])
    assert through.passed(GREETING + KEY).endswith(KEY)
    assert through.passed(POINTER[:3]) == b""
    allowed[0] = False
    assert through.passed(POINTER[3:] + KEY + UPDATE) == UPDATE


@pytest.mark.parametrize(
    "nonsense", [bytes([99]), struct.pack(">BxxxI", 6, LARGEST), struct.pack(">BxxxI", 6, 0x7FFFFFFF)]
)
def test_nonsense_ends_it(nonsense: bytes) -> None:
    with pytest.raises(Unknown):
        ClientMessages(lambda: False).passed(GREETING + nonsense)
