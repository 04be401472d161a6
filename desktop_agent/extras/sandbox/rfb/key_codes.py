"""Keysyms as codes of one byte, which the ledger of held keys takes, and back.

The code of a key is the last byte of its keysym. Characters and named keys share codes: whoever releases a code releases
every key that has it, which does nothing to those that are up.
"""

from __future__ import annotations

from functools import cache

from desktop_agent.support.keysyms import NAMED


def code_of(keysym: int) -> int | None:
    """The code of a key that can be held; None for a character outside Latin-1, of which there are too many."""
    return keysym & 0xFF if keysym < 0x100 or keysym in NAMED.values() else None


def keysyms_of(code: int) -> tuple[int, ...]:
    """Every keysym with this code."""
    return _table().get(code, ())


@cache
def _table() -> dict[int, tuple[int, ...]]:
    known = {*range(0x20, 0x7F), *range(0xA0, 0x100), *NAMED.values()}
    return {code: tuple(sorted(each for each in known if each & 0xFF == code)) for code in range(256)}
