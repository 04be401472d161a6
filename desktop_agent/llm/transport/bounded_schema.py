"""A JSON Schema with a limit for every text and list, for a server whose model writes on until something ends it."""

from __future__ import annotations

from typing import Any

LETTERS = 300
"""Of a text that has no limit of its own: a note, a name, a line."""
LONG_LETTERS = 1_500
"""Of a text that is typed or written into a file. llama.cpp's grammars take at most 2,000 repetitions."""
ITEMS = 8
_LONG = frozenset({"text", "content", "new", "old"})


def bounded(schema: Any, name: str = "") -> Any:
    """The schema with `maxLength` and `maxItems` wherever they are missing; `name` is that of the field it is for.

    Neither is below the least that is asked for: llama.cpp takes all memory for a grammar where it is.
    """
    if isinstance(schema, list):
        return [bounded(each, name) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: bounded(value, name) for key, value in schema.items() if key != "properties"}
    if "properties" in schema:
        made["properties"] = {key: bounded(value, key) for key, value in schema["properties"].items()}
    if made.get("type") == "string" and "enum" not in made:
        usual = LONG_LETTERS if name in _LONG else LETTERS
        made.setdefault("maxLength", max(usual, made.get("minLength", 0)))
    if made.get("type") == "array":
        made["maxItems"] = max(min(made.get("maxItems", ITEMS), ITEMS), made.get("minItems", 0))
    return made
