"""JSON lines: a reply is one JSON object a line, each operation on a line of its own, what is said on the others.

A model that loses count of brackets in one large object keeps to lines more easily: an error is on a line that can be named.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from desktop_agent.protocol.chat_messages import Message, words_of
from desktop_agent.protocol.dialects.base import Unreadable
from desktop_agent.protocol.reply import short
from desktop_agent.protocol.schema import describe

_FORM = """\
Answer with JSON objects, one a line, and nothing else. First what you say, then each operation on a line of its own:
{"notes": "one short sentence for the user", "high_level": ["the whole plan, where it is new"], "scope": [], "step": 1}
{"op": "..."}
At most MAX_ACTIONS operations. They are carried out in order, then you get a new look.

Operations:
"""
REMINDER = (
    'One JSON object a line: "notes", "high_level", "scope" and "step" on the first, then one listed operation on each '
    "line, no list around them and no Markdown."
)


def parse(text: bytes) -> object:
    """The data of the reply that the lines are. Raises Unreadable: with the line that is no object or says a field again."""
    said: dict[str, Any] = {}
    actions: list[dict[str, Any]] = []
    for number, line in enumerate(text.split(b"\n"), 1):
        if not line.strip():
            continue
        data = _object(line, number)
        if "op" in data:
            actions.append(data)
        elif again := next((name for name in data if name in said or name == "actions"), ""):
            raise Unreadable(f"line {number}: {short(again)} may not stand here")
        else:
            said |= data
    return said | {"actions": actions}


def prompt(operations: Sequence[str], max_actions: int) -> str:
    """The form of an answer for the system prompt, with the operations in it."""
    return _FORM.replace("MAX_ACTIONS", str(max_actions)) + describe(operations)


def messages(text: str) -> tuple[Message, ...]:
    """The whole text as a command, as in the dialect `json`."""
    return (words_of(text, "command"),)


def _object(line: bytes, number: int) -> dict[str, Any]:
    try:
        return msgspec.json.decode(line, type=dict[str, Any])
    except (msgspec.DecodeError, ValueError) as error:
        raise Unreadable(f"line {number}: not one JSON object: {error}") from error
