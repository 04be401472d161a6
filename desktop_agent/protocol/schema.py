"""The JSON Schema of a reply, made from the operations' definitions and shown to models.

The form is the one that strict structured output asks for (OpenAI's "Structured Outputs" and
Anthropic's output formats agree on it): every property required, no further properties, optional
values nullable, unions by `anyOf`, everything inline. Limits of lengths and numbers that servers may
ignore are checked again on decoding.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from desktop_agent.protocol.ops import OPS, RESERVED
from desktop_agent.protocol.reply import Reply

# Keywords that strict servers refuse in a schema; decoding enforces them all the same.
_UNSUPPORTED = ("default", "title", "minLength", "maxLength", "pattern", "discriminator")


def reply_schema(operations: Iterable[str]) -> dict[str, Any]:
    """The schema of a reply that may use the named operations.

    Raises KeyError for a name that is no operation, ValueError for a reserved one.
    """
    names = sorted(set(operations))
    if RESERVED & set(names):
        raise ValueError(f"{', '.join(sorted(RESERVED & set(names)))} are never shown to a model")
    structs = [OPS[name] for name in names]
    (reply, *actions), components = msgspec.json.schema_components(
        [Reply, *structs], ref_template="#/$defs/{name}"
    )
    schema: dict[str, Any] = _strict(_inline(reply, components))
    schema["properties"]["actions"]["items"] = {"anyOf": [_strict(_inline(a, components)) for a in actions]}
    return schema


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
