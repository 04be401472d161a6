"""Lines: a note after `#`, then one operation a line, its name and its fields as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from desktop_agent.protocol.dialects.base import Unreadable
from desktop_agent.protocol.schema import describe


def parse(text: bytes) -> object:
    notes: list[str] = []
    actions: list[dict[str, Any]] = []
    for number, line in enumerate(text.decode("utf-8").splitlines(), 1):
        name, _, fields = line.strip().partition(" ")
        if name == "#":
            notes.append(fields)
        elif name:
            try:
                actions.append({**msgspec.json.decode(fields, type=dict[str, Any]), "op": name})
            except msgspec.DecodeError as error:
                raise Unreadable(f"line {number}: {error}") from error
    return {"notes": "\n".join(notes), "actions": actions}


def prompt(operations: Sequence[str], max_actions: int) -> str:
    return f"Write a note after #, then at most {max_actions} lines: name and JSON.\n{describe(operations)}"
