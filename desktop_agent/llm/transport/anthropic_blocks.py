"""A conversation as messages of Anthropic's Messages API, with the places up to which it is cached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from desktop_agent.protocol.chat_messages import (
    ApiMessage,
    Block,
    GivenBlock,
    PictureBlock,
    ResultBlock,
    TextBlock,
)

_CACHED_MESSAGES = 3
"""Of the newest messages those of the user end a cached part, so that the part before is found again."""


def messages_param(messages: Sequence[ApiMessage]) -> list[dict[str, Any]]:
    """The messages as the API takes them; what is before the newest is read from the cache next time."""
    toolsets = {
        block.call: block.data.get("toolset_name")
        for each in messages
        for block in each.content
        if isinstance(block, GivenBlock) and block.call
    }
    first_cached = len(messages) - _CACHED_MESSAGES
    return [
        {"role": each.role, "content": _content(each, toolsets, ends_cached=index >= first_cached)}
        for index, each in enumerate(messages)
    ]


def _content(message: ApiMessage, toolsets: Mapping[str, Any], *, ends_cached: bool) -> list[dict[str, Any]]:
    content = [_block(block, toolsets) for block in message.content]
    if ends_cached and message.role == "user":
        content[-1] |= {"cache_control": {"type": "ephemeral"}}
    return content


def _block(block: Block, toolsets: Mapping[str, Any]) -> dict[str, Any]:
    match block:
        case TextBlock():
            return {"type": "text", "text": block.text}
        case PictureBlock():
            source = {"type": "base64", "media_type": block.media_type, "data": block.data}
            # A picture scaled down in silence would shift every coordinate.
            return {"type": "image", "source": source, "transformations": {"oversized_image": "error"}}
        case GivenBlock():
            return dict(block.data)
        case ResultBlock():
            result: dict[str, Any] = {
                "type": "tool_result",
                "tool_use_id": block.call,
                "content": [_block(each, toolsets) for each in block.content],
            }
            if block.error and not any(isinstance(each, PictureBlock) for each in block.content):
                result["is_error"] = True  # the provider takes no pictures with it
            toolset = toolsets.get(block.call)
            return {**result, "toolset_name": toolset} if toolset else result
