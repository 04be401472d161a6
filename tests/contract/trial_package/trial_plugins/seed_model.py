"""A class that has only `call`, and a module function that does the same."""

from __future__ import annotations

from typing import Any

DONE = '{"actions": [{"op": "done", "summary": "Called %d times."}]}'
FIRST = '{"notes": "Once more.", "actions": [{"op": "wait", "seconds": 0.1}]}'


class SeedModel:
    """Says that it is done when it is called the second time; its cache counts the calls."""

    images = False

    def call(self, messages: list[dict[str, Any]], kv_cache: Any) -> tuple[str, Any]:
        count = (kv_cache or 0) + 1
        return (FIRST if count == 1 else DONE % count), count


def call(messages: list[dict[str, Any]], kv_cache: Any) -> tuple[str, Any]:
    return DONE % 1, kv_cache
