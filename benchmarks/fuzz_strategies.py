"""Texts that Hypothesis makes: values from the very schema models are shown, and what can go wrong with them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from desktop_agent.agent.run_loop import OPERATIONS
from desktop_agent.protocol.schema import reply_schema

Strategy = st.SearchStrategy[Any]

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
_KEYS = st.sampled_from(["ctrl", "shift", "a", "Enter", "f5", "é", "nokey", ""])


def explore(take: Callable[[str], None], examples: int) -> int:
    """Give `take` so many texts; returns how many it was given."""
    said = 0

    @seed(1)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(texts())
    def say(text: str) -> None:
        nonlocal said
        said += 1
        take(text)

    say()
    return said


def texts() -> st.SearchStrategy[str]:
    """What a model may say: in the schema's form, nearly so, or anything."""
    schema = reply_schema(OPERATIONS)
    valid = from_schema(schema).map(json.dumps)
    spoiled = st.tuples(from_schema(schema), st.lists(st.integers(0, 40), max_size=4), _JSON).map(_spoiled)
    cut = st.tuples(valid, st.integers(0, 400), st.text(max_size=4)).map(lambda t: t[0][: t[1]] + t[2])
    return st.one_of(valid, spoiled, cut, _JSON.map(json.dumps), st.text(st.characters(), max_size=40))


def from_schema(schema: dict[str, Any]) -> Strategy:
    """Values that the schema allows; limits it cannot state may be exceeded."""
    if "anyOf" in schema:
        return st.one_of([from_schema(each) for each in schema["anyOf"]])
    if "enum" in schema or "const" in schema:
        return st.sampled_from(schema.get("enum", [schema.get("const")]))
    match schema.get("type"):
        case "object":
            names = schema.get("required", [])
            return st.fixed_dictionaries({n: from_schema(schema["properties"][n]) for n in names})
        case "array":
            most = min(schema.get("maxItems", 4), 4)
            return st.lists(
                from_schema(schema.get("items", {})), min_size=schema.get("minItems", 0), max_size=most
            )
        case "string":
            return _KEYS if "key's name" in schema.get("description", "") else st.text(max_size=12)
        case "integer":
            return st.integers(schema.get("minimum", -9), min(schema.get("maximum", 400), 400))
        case "number":
            return st.floats(schema.get("minimum", -9), schema.get("maximum", 99))
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
    return _JSON


def _spoiled(parts: tuple[Any, list[int], Any]) -> str:
    """The value with another put in at the place that the numbers lead to."""
    value, way, other = parts
    inner = value
    for step in way:
        below = list(inner.values()) if isinstance(inner, dict) else inner
        deeper = [each for each in below if isinstance(each, dict | list) and each]
        if not deeper:
            break
        inner = deeper[step % len(deeper)]
    if isinstance(inner, dict) and inner:
        inner[list(inner)[len(way) % len(inner)]] = other
    elif isinstance(inner, list):
        inner.append(other)
    return json.dumps(value)
