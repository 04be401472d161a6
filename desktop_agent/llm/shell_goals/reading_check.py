"""Shell lines that tell whether what was read on a screen is what a command prints, and that spell it where it is not.

What was read is never typed itself: the checksums of POSIX `cksum` are compared, of all characters but white space, so that
rows broken at a terminal's edge make no difference.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

LONGEST = 300
"""Characters without white space that are compared at most."""
_LONGEST_SPELLED = 480
_ROW = re.compile(r"(?:[0-9a-f]{2}(?:\s+|$)){1,16}")
_POLYNOMIAL = 0x04C11DB7


def may_be_compared(lines: Sequence[str]) -> bool:
    """Is it little enough to be compared, and anything at all?"""
    return 0 < len(_squeezed(lines)) <= LONGEST


def comparing(line: str, read: Sequence[str]) -> str:
    """A line that succeeds where `line` prints what was read."""
    checksum, size = posix_checksum(_squeezed(read).encode())
    return f"({line}) 2> /dev/null | tr -d '[:space:]' | cksum | grep -qx '{checksum} {size}'"


def spelling(line: str) -> str:
    """A line that prints what `line` prints as hexadecimal numbers, none of whose signs look alike."""
    return f"({line}) | head -c {_LONGEST_SPELLED} | od -An -v -tx1"


def spelled(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines that such numbers stand for, () where they are none."""
    found = [each.strip() for each in lines if each.strip()]
    if not all(_ROW.fullmatch(each) for each in found):
        return ()
    data = bytes.fromhex("".join(found))
    return (
        tuple(data.decode(errors="replace").rstrip("\n").split("\n")) if len(data) < _LONGEST_SPELLED else ()
    )


def posix_checksum(data: bytes) -> tuple[int, int]:
    """What `cksum` prints for these bytes: their checksum and how many they are."""
    table, made = _table(), 0
    size = len(data)
    tail = size.to_bytes((size.bit_length() + 7) // 8, "little")
    for byte in (*data, *tail):
        made = (made << 8 & 0xFFFFFFFF) ^ table[made >> 24 ^ byte]
    return made ^ 0xFFFFFFFF, size


@cache
def _table() -> tuple[int, ...]:
    made = []
    for byte in range(256):
        value = byte << 24
        for _ in range(8):
            value = value << 1 & 0xFFFFFFFF ^ (_POLYNOMIAL if value & 0x80000000 else 0)
        made.append(value)
    return tuple(made)


def _squeezed(lines: Sequence[str]) -> str:
    return re.sub(r"\s+", "", "".join(lines))
