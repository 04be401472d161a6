"""The JSON Schemas of a reply, made from the operations' definitions: one shown to models, one published.

The form of the first is the one that strict structured output asks for (OpenAI's "Structured Outputs" and
Anthropic's output formats agree on it): every property required, no further properties, optional
values nullable, unions by `anyOf`, everything inline. Limits of lengths and numbers that servers may
ignore are checked again on decoding.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec

from desktop_agent.protocol.ops import OPS, RESERVED
from desktop_agent.protocol.reply import MAX_ACTIONS, Reply

VERSION = 1
"""Of the operations and their fields. It grows when a reply that was right is right no more, or means
something else; what was recorded in any version still decodes (tests/protocol/recorded)."""

# Keywords that strict servers refuse in a schema; decoding enforces them all the same.
_UNSUPPORTED = ("default", "title", "minLength", "maxLength", "pattern", "discriminator")


def published_schema() -> dict[str, Any]:
    """The schema of every reply that decodes, with its version, all limits and what may be left out."""
    schema = _with_actions(sorted(set(OPS) - RESERVED))
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:desktop-agent:reply:{VERSION}",
        "version": VERSION,
    }
    portable: dict[str, Any] = _portable(schema)
    return head | portable


def actions_schema(operations: Iterable[str]) -> dict[str, Any]:
    """The schema of a list of the named operations, with all limits and what may be left out. Raises KeyError."""
    schema: dict[str, Any] = _portable(_with_actions(sorted(set(operations))))["properties"]["actions"]
    return schema


def reply_schema(operations: Iterable[str], max_actions: int = MAX_ACTIONS) -> dict[str, Any]:
    """The schema of a reply that may use so many of the named operations.

    Raises KeyError for a name that is no operation, ValueError for a reserved one.
    """
    names = sorted(set(operations))
    if RESERVED & set(names):
        raise ValueError(f"{', '.join(sorted(RESERVED & set(names)))} are never shown to a model")
    return copy.deepcopy(_reply_schema(tuple(names), max_actions))


@cache
def _reply_schema(names: tuple[str, ...], max_actions: int) -> dict[str, Any]:
    schema: dict[str, Any] = _strict(_with_actions(list(names), max_actions))
    return schema


def _with_actions(names: list[str], most: int = MAX_ACTIONS) -> dict[str, Any]:
    """The schema of a reply whose actions are the named operations, everything inline."""
    structs = [OPS[name] for name in names]
    (reply, *actions), components = msgspec.json.schema_components(
        [Reply, *structs], ref_template="#/$defs/{name}"
    )
    schema: dict[str, Any] = _inline(reply, components)
    items = {"anyOf": [_inline(each, components) for each in actions]}
    schema["properties"]["actions"] |= {"items": items, "maxItems": most}
    return schema


def fields_schema(struct: type[msgspec.Struct], without: Iterable[str] = ()) -> dict[str, Any]:
    """The strict schema of a struct's fields, without its tag and the fields named: what a function tool takes."""
    (node,), components = msgspec.json.schema_components([struct], ref_template="#/$defs/{name}")
    schema: dict[str, Any] = _inline(node, components)
    left_out = {struct.__struct_config__.tag_field, *without}
    kept = {name: each for name, each in schema.get("properties", {}).items() if name not in left_out}
    strict: dict[str, Any] = _strict({"type": "object", "properties": kept})
    return strict


def describe(operations: Iterable[str]) -> str:
    """The operations as lines of text for a prompt: `click(x?, y?, button?, …): what it does`."""
    return "\n".join(_describe_one(name) for name in sorted(set(operations), key=list(OPS).index))


def _describe_one(name: str) -> str:
    struct = OPS[name]
    fields = [f.name + ("" if f.required else "?") for f in msgspec.structs.fields(struct)]
    doc = " ".join((struct.__doc__ or "").split())
    return f"- {name}({', '.join(fields)}): {doc}"


def _inline(node: Any, components: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_inline(item, components) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        name = str(node["$ref"]).rsplit("/", 1)[-1]
        # Reply's own union of all operations is replaced by the allowed ones afterwards.
        return _inline(components[name], components)
    if isinstance(node.get("description"), str):
        node = {**node, "description": " ".join(node["description"].split())}
    return {key: _inline(value, components) for key, value in node.items()}


def _portable(node: Any) -> Any:
    r"""Patterns as ECMA 262 has them, which JSON Schema asks for: Python's \Z is $ there."""
    if isinstance(node, list):
        return [_portable(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        key: value.replace("\\Z", "$") if key == "pattern" and isinstance(value, str) else _portable(value)
        for key, value in node.items()
    }


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(item) for item in node]
    if not isinstance(node, dict):
        return node
    made = {
        key: _strict(value) for key, value in node.items() if key not in _UNSUPPORTED or key == "properties"
    }
    if "enum" in made:
        made.setdefault("type", "string")  # every enumeration of the protocol is one of words
    if made.get("type") == "object":
        made["additionalProperties"] = False
        made["required"] = list(made.get("properties", {}))
    return made
