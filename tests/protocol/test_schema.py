"""The schema shown to models and the decoder are the same definition."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from desktop_agent.protocol.ops import OPS, RESERVED
from desktop_agent.protocol.schema import describe, published_schema, reply_schema

ALL = sorted(set(OPS) - RESERVED)


def nodes(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for value in node.values():
            yield from nodes(value)
    elif isinstance(node, list):
        for value in node:
            yield from nodes(value)


def test_every_object_is_strict() -> None:
    for node in nodes(reply_schema(ALL)):
        if node.get("type") == "object":
            assert node["additionalProperties"] is False
            assert node["required"] == list(node["properties"])


def test_nothing_points_elsewhere() -> None:
    text = json.dumps(reply_schema(ALL))
    assert "$ref" not in text and "$defs" not in text


def test_only_the_named_operations_are_offered() -> None:
    schema = reply_schema(["click", "type"])
    names = [each["properties"]["op"]["enum"] for each in schema["properties"]["actions"]["items"]["anyOf"]]
    assert names == [["click"], ["type"]]


def test_the_humans_operations_are_never_shown() -> None:
    with pytest.raises(ValueError, match="approve"):
        reply_schema(["click", "approve"])


def test_each_operation_is_described_for_people() -> None:
    lines = describe(ALL).splitlines()
    assert len(lines) == len(ALL)
    assert "- click(x?, y?, button?, count?, modifiers?): Click at x, y" in describe(["click"])


def test_models_are_shown_that_a_question_may_offer_choices() -> None:
    (asked,) = reply_schema(["ask"])["properties"]["actions"]["items"]["anyOf"]
    assert asked["properties"]["choices"]["items"] == {"type": "string"}
    assert asked["properties"]["choices"]["maxItems"] == 4
    assert "- ask(question, choices?, on_screen?): Ask the user something" in describe(["ask"])
    assert "up to four short answers" in describe(["ask"])
    (published,) = (
        each
        for each in published_schema()["properties"]["actions"]["items"]["anyOf"]
        if each["properties"]["op"]["enum"] == ["ask"]
    )
    assert "choices" not in published["required"]
    assert published["properties"]["choices"]["items"]["maxLength"] == 120
