"""Decodes the reply to `org.a11y.atspi.Cache.GetItems`, fast: an application has thousands of rows."""

from __future__ import annotations

import struct
from collections import Counter
from typing import NamedTuple

from desktop_agent.vision.atspi.wire import string

ITEMS = "a((so)(so)(so)iiassusau)"
"""D-Bus signature of the reply to `org.a11y.atspi.Cache.GetItems`."""

_U32 = struct.Struct("<I")
_TWO = struct.Struct("<ii")


class Item(NamedTuple):
    """One row of a GetItems reply; `states` is the 64-bit state set, `children` their number (-1 if unknown)."""

    path: str
    parent: str
    index_in_parent: int
    children: int
    interfaces: bytes
    name: str
    role: int
    description: str
    states: int


def decode_items(body: bytes, states: int) -> tuple[list[Item], Counter[str]]:
    """The rows that have all the bits of `states`, and the number of rows per parent path, filtered or not."""
    (size,) = _U32.unpack_from(body)
    position, end = 8, 8 + size
    rows: list[Item] = []
    children: Counter[str] = Counter()
    while position < end:
        position += -position % 8
        row, parent, position = _item(body, position, states)
        children[parent] += 1
        if row is not None:
            rows.append(row)
    return rows, children


def _item(body: bytes, position: int, wanted: int) -> tuple[Item | None, str, int]:
    u32 = _U32.unpack_from
    marks: list[int] = []
    for _ in range(6):  # three references: bus name, path; each is a struct, aligned to 8
        if len(marks) % 2 == 0:
            position += -position % 8
        position += -position % 4
        marks.append(position)
        position += u32(body, position)[0] + 5
    position += -position % 4
    index, children = _TWO.unpack_from(body, position)
    interfaces = position + 12
    position = interfaces + u32(body, position + 8)[0]
    interfaces_end = position
    position += -position % 4
    name = position
    position += u32(body, position)[0] + 5
    position += -position % 4
    (role,) = u32(body, position)
    description = position + 4
    position = description + u32(body, description)[0] + 5
    position += -position % 4
    count = u32(body, position)[0] // 4
    bits = u32(body, position + 4)[0] if count else 0
    if count > 1:
        bits |= u32(body, position + 8)[0] << 32
    position += 4 + 4 * count
    parent = string(body, marks[5])
    if bits & wanted != wanted:
        return None, parent, position
    item = Item(
        string(body, marks[1]), parent, index, children, body[interfaces:interfaces_end],
        string(body, name), role, string(body, description), bits,
    )  # fmt: skip
    return item, parent, position
