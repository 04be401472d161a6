"""What a request weighs: estimated tokens, bytes of pictures, and how much of it the one before began with.

Tokens are estimated the same way for all: four characters of text a token, and of a picture one token for
750 pixels, as Anthropic's documentation says.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.context_parts.provider import Body

LETTERS, PIXELS = 4, 750


@dataclass(frozen=True)
class Part:
    """A block of a request: `key` tells it from others, `tokens` and `picture` (bytes) are what it weighs."""

    key: str
    tokens: float
    picture: int = 0


@dataclass(frozen=True)
class Weight:
    """The sum of several requests."""

    tokens: float
    pictures: int


def parts_of(body: Body, size: tuple[int, int]) -> list[Part]:
    """The blocks of a request in the order a provider reads them; `size` is that of a whole picture, in pixels."""
    return [_part(each, size) for each in _blocks(body)]


def text_part(text: str) -> Part:
    return Part(text, len(text) / LETTERS)


def picture_part(name: str, size: tuple[int, int], data: int) -> Part:
    return Part(name, size[0] * size[1] / PIXELS, data)


def weight(requests: list[list[Part]]) -> Weight:
    """All requests of a run together."""
    return Weight(
        sum(part.tokens for request in requests for part in request),
        sum(part.picture for request in requests for part in request),
    )


def unchanged(before: list[Part], now: list[Part]) -> float:
    """The share of the tokens of `now` that it shares from the beginning on with the request before."""
    same = 0.0
    for one, other in zip(before, now, strict=False):
        if one.key != other.key:
            break
        same += other.tokens
    return same / sum(part.tokens for part in now)


def _blocks(body: Body) -> Iterator[Any]:
    yield from body.get("tools", ())
    yield from body["system"]
    for message in body["messages"]:
        for block in message["content"]:
            inner = block.get("content") if block["type"] == "tool_result" else None
            yield from inner if isinstance(inner, list) else [block]


def _part(block: Any, size: tuple[int, int]) -> Part:
    if block.get("type") == "image":
        data = block["source"]["data"]
        width, height = _size_of(base64.b64decode(data))
        return picture_part(data, (min(width, size[0]), min(height, size[1])), len(data) * 3 // 4)
    kept = {name: value for name, value in block.items() if name != "cache_control"}
    return text_part(block["text"] if block.get("type") == "text" else json.dumps(kept))


def _size_of(data: bytes) -> tuple[int, int]:
    import io

    from PIL import Image

    return Image.open(io.BytesIO(data)).size
