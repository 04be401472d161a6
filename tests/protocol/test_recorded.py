"""What was recorded in any version still decodes, and the published schema says what decodes."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from desktop_agent.protocol.dialects.json import decode
from desktop_agent.protocol.ops import OPS, RESERVED, name_of
from desktop_agent.protocol.schema import VERSION, published_schema

RECORDED = sorted((Path(__file__).parent / "recorded").glob("v*.jsonl"))
LINES = [
    pytest.param(line, id=f"{path.stem}-{number}")
    for path in RECORDED
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
]


@pytest.mark.parametrize("line", LINES)
def test_a_recorded_reply_means_what_it_says(line: str) -> None:
    said = json.loads(line)
    (op,) = decode(line).actions
    kept = json.loads(msgspec.json.encode(op))
    assert {name: kept[name] for name in said["actions"][0]} == said["actions"][0]


def test_every_version_has_one_reply_of_each_operation() -> None:
    assert [path.stem for path in RECORDED] == [f"v{number}" for number in range(1, VERSION + 1)]
    newest = RECORDED[-1].read_text(encoding="utf-8").splitlines()
    assert {name_of(decode(line).actions[0]) for line in newest} == set(OPS) - RESERVED


def test_the_published_schema_keeps_limits_and_leaves_out_what_may_be_left_out() -> None:
    schema = published_schema()
    (click,) = (
        each
        for each in schema["properties"]["actions"]["items"]["anyOf"]
        if each["properties"]["op"]["enum"] == ["click"]
    )
    assert click["required"] == ["op"] and click["additionalProperties"] is False
    assert click["properties"]["count"]["maximum"] == 3
    assert "$ref" not in json.dumps(schema)
