"""A line with `op` is an operation, any other says something, and an error names its line."""

from __future__ import annotations

import pytest

from desktop_agent.protocol import ops
from desktop_agent.protocol.dialects import json_lines
from desktop_agent.protocol.dialects.base import dialect_of
from desktop_agent.protocol.errors import BadReply

LINES = dialect_of("json_lines", json_lines)


def test_operations_come_in_the_order_of_their_lines() -> None:
    reply = LINES.decode(
        '{"notes": "Now save.", "high_level": ["Save"]}\n\n{"op": "click", "x": 3, "y": 4}\n{"op": "key_combo", "keys": ["ctrl", "s"]}\n'
    )
    assert reply.notes == "Now save." and reply.high_level == ("Save",)
    assert reply.actions == (ops.Click(3, 4), ops.KeyCombo(("ctrl", "s")))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"notes": "a"}\n{"op": "look"', "line 2"),
        ('{"notes": "a"}\n{"notes": "b"}', "line 2"),
        ('\n[{"op": "look"}]', "line 2"),
        ('{"actions": []}', "line 1"),
    ],
)
def test_an_error_names_its_line(text: str, line: str) -> None:
    with pytest.raises(BadReply) as caught:
        LINES.decode(text)
    assert caught.value.problems[0].message.startswith(line)
