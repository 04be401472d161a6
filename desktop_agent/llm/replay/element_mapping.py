"""Finds the elements that a recorded reply names among those of today, which have other ids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.reply import Reply
from desktop_agent.vision.elements.element_table import ElementRow

_FIELDS = ("element", "to")
MISSING = "recorded-"
"""Before the id of an element that is not there today: it names none."""
_LONGEST_ID = 64


def named(reply: Reply) -> Iterator[str]:
    """The ids that the reply's operations name, each once."""
    yield from dict.fromkeys(id for op in reply.actions for id in _ids(op).values())


def todays_ids(
    ids: Iterable[str], then: Mapping[str, ElementRow], now: Sequence[ElementRow]
) -> dict[str, str]:
    """For each recorded id the one of today, or one that no element has where that cannot be told."""
    return {id: _found(then[id], then, now) if id in then else _missing(id) for id in ids}


def is_missing(id: str) -> bool:
    """Does the id stand for an element that was not found?"""
    return id.startswith(MISSING)


def with_ids(reply: Reply, ids: Mapping[str, str]) -> Reply:
    """The reply with other ids."""
    return msgspec.structs.replace(reply, actions=tuple(_with_ids(op, ids) for op in reply.actions))


def text_with_ids(raw: str, ids: Mapping[str, str]) -> str:
    """The text of a reply in JSON with other ids; a text in another form stays as it is."""

    def replaced(found: re.Match[str]) -> str:
        return found[1] + ids.get(found[2], found[2]) + found[3]

    return re.sub(r'("(?:element|to)"\s*:\s*")([^"\\]*)(")', replaced, raw)


def _ids(op: Op) -> dict[str, str]:
    return {name: id for name in _FIELDS if isinstance(id := getattr(op, name, None), str)}


def _with_ids(op: Op, ids: Mapping[str, str]) -> Op:
    changed = {name: ids.get(id, id) for name, id in _ids(op).items()}
    return msgspec.structs.replace(op, **changed) if changed else op


def _missing(id: str) -> str:
    return f"{MISSING}{id}"[:_LONGEST_ID]


def _found(wanted: ElementRow, then: Mapping[str, ElementRow], now: Sequence[ElementRow]) -> str:
    """By role, name and window; of several by the path in the tree, the value, and at last their order."""
    same = [row for row in now if _key(row) == _key(wanted)] or [
        row for row in now if _key(row)[:2] == _key(wanted)[:2]
    ]
    for attribute in ("trail", "value"):
        closer = [row for row in same if getattr(row, attribute) == getattr(wanted, attribute)]
        same = closer or same
    if len(same) == 1:
        return same[0].id
    then_same = [row for row in then.values() if _key(row) == _key(wanted)]
    if same and len(same) == len(then_same):
        return sorted(same, key=_order)[sorted(then_same, key=_order).index(wanted)].id
    return _missing(wanted.id)


def _key(row: ElementRow) -> tuple[str, str, str]:
    return row.role, row.name, row.window


def _order(row: ElementRow) -> tuple[int, ...]:
    return row.trail
