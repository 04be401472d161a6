"""A conversation as input items of OpenAI's Responses API.

A `computer_call` is taken back only with the picture of the screen that answers it, with what it warned of allowed,
and with the reasoning it came from. Where that cannot be, all the model said in that answer is told in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from desktop_agent.protocol.chat_messages import (
    ApiMessage,
    Block,
    GivenBlock,
    PictureBlock,
    ResultBlock,
    TextBlock,
    inline,
)

Item = dict[str, Any]


def input_items(messages: Sequence[ApiMessage], detail: str) -> list[Item]:
    """The messages as items; `detail` is how much of a picture the model looks at."""
    writer = _Writer(detail)
    for number, message in enumerate(messages):
        if message.role == "assistant":
            answers = messages[number + 1].content if number + 1 < len(messages) else ()
            writer.said(message.content, [each for each in answers if isinstance(each, ResultBlock)])
        else:
            writer.shown(message.content)
    return writer.items


@dataclass
class _Writer:
    """Writes item after item; `_picture` is the newest whole picture so far, `_calls` the calls to be answered."""

    detail: str
    items: list[Item] = field(default_factory=list)
    _picture: PictureBlock | None = None
    _calls: dict[str, GivenBlock] = field(default_factory=dict)

    def said(self, blocks: Sequence[Block], answers: Sequence[ResultBlock]) -> None:
        """What the model said, and what will answer it."""
        given = {block.call: block for block in blocks if isinstance(block, GivenBlock) and block.call}
        whole = all(self._can_be_answered(given[each.call], each) for each in answers if each.call in given)
        self._calls = given if whole else {}
        for block in blocks:
            if isinstance(block, GivenBlock) and (whole or block.is_compaction):
                self.items.append(dict(block.data))
            else:
                self._message("assistant", list(inline((block,))))

    def _can_be_answered(self, call: GivenBlock, answer: ResultBlock) -> bool:
        if call.data.get("type") != "computer_call":
            return True
        shown = self._picture is not None or any(isinstance(each, PictureBlock) for each in answer.content)
        return shown and (answer.accepted or not call.data.get("pending_safety_checks"))

    def shown(self, blocks: Sequence[Block]) -> None:
        """What answers the calls, then what the user and the environment said."""
        rest: list[TextBlock | PictureBlock] = []
        for block in blocks:
            call = self._calls.get(block.call) if isinstance(block, ResultBlock) else None
            if not isinstance(block, ResultBlock) or call is None:
                rest += inline((block,))
            elif call.data.get("type") == "computer_call":
                newest = next(
                    (p for p in reversed(block.content) if isinstance(p, PictureBlock)), self._picture
                )
                rest += self._screenshot(call, block, newest) if newest else block.content
            else:
                output = [self._part(each, "user") for each in block.content]
                self.items.append({"type": "function_call_output", "call_id": block.call, "output": output})
        whole = [each for each in blocks if isinstance(each, PictureBlock)]
        self._picture = whole[-1] if whole else self._picture
        self._message("user", rest)

    def _screenshot(
        self, call: GivenBlock, answer: ResultBlock, picture: PictureBlock
    ) -> Iterator[TextBlock | PictureBlock]:
        """Answers a call of the computer tool with its newest picture; the rest of the answer is told after it."""
        self._picture = picture
        item: Item = {
            "type": "computer_call_output",
            "call_id": answer.call,
            "output": {"type": "computer_screenshot", "image_url": picture.data_url},
        }
        if checks := call.data.get("pending_safety_checks"):
            item["acknowledged_safety_checks"] = checks
        self.items.append(item)
        yield from (each for each in answer.content if each is not picture)

    def _message(self, role: str, blocks: Sequence[TextBlock | PictureBlock]) -> None:
        if blocks:
            self.items.append({"role": role, "content": [self._part(each, role) for each in blocks]})

    def _part(self, block: TextBlock | PictureBlock, role: str) -> Item:
        if isinstance(block, PictureBlock):
            return {"type": "input_image", "image_url": block.data_url, "detail": self.detail}
        return {"type": "input_text" if role == "user" else "output_text", "text": block.text}
