"""Answers each call of a tool with what came of its operations, and with the picture it was for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop_agent.agent.memory import RunMemory
from desktop_agent.agent.prompting.prompt import Prompter
from desktop_agent.llm.base import Deed
from desktop_agent.protocol.chat_messages import PictureBlock, ResultBlock, TextBlock
from desktop_agent.protocol.dialects.base import ToolCall

NOTED = "Noted."
AFTER_FAILURE = "Not executed: an operation before it in this turn was not done."
NOT_REACHED = "Not executed: the turn ended before it."

_Shown = list[TextBlock | PictureBlock]


@dataclass(frozen=True)
class CallAnswers:
    """Answers the calls of one reply, from what `memory` holds of its operations."""

    prompter: Prompter
    memory: RunMemory

    def of(self, calls: Sequence[ToolCall], shown: _Shown) -> tuple[list[ResultBlock], _Shown]:
        """An answer to each call, and what is left of `shown` (the pictures of the new look).

        They answer the last call that was for a picture of the screen and whose last operation gave it none.
        """
        wants = [each for each in calls if each.picture and each.count and not self._ends_with_picture(each)]
        results = [self._answer(each, shown if wants and each is wants[-1] else []) for each in calls]
        return results, [] if wants else shown

    def picture(self, number: int) -> Iterator[TextBlock | PictureBlock]:
        """The picture that an operation asked for, after its caption."""
        caption, picture = self.memory.pictures[number]
        yield TextBlock(caption, passing=True)
        yield picture

    def _pictures_of(self, call: ToolCall) -> list[int]:
        """The operations of a call whose own pictures were taken."""
        return [
            number for number in range(call.first, call.first + call.count) if number in self.memory.pictures
        ]

    def _ends_with_picture(self, call: ToolCall) -> bool:
        return call.first + call.count - 1 in self.memory.pictures

    def _answer(self, call: ToolCall, shown: _Shown) -> ResultBlock:
        numbers = range(call.first, call.first + call.count)
        deeds = [deed for number in numbers for deed in self.memory.results.get(number, ())]
        missing = [number for number in numbers if not self._was_begun(number)]
        texts = [self.prompter.result([deed for deed in deeds if deed.outcome != "skipped"])]
        if missing:
            texts.append(AFTER_FAILURE if self._failed_before(missing[0]) else NOT_REACHED)
        if call.problem:
            texts.append(self.prompter.unusable(call.problem))
        words = [TextBlock(text) for text in texts if text] or [TextBlock(NOTED)]
        own = [block for number in self._pictures_of(call) for block in self.picture(number)]
        error = bool(missing or call.problem) or not all(map(_done, deeds))
        return ResultBlock(call.id, (*words, *own, *shown), error, call.id in self.memory.accepted)

    def _was_begun(self, number: int) -> bool:
        return any(deed.outcome != "skipped" for deed in self.memory.results.get(number, ()))

    def _failed_before(self, number: int) -> bool:
        results = self.memory.results
        return any(not _done(deed) for each in results if each < number for deed in results[each])


def _done(deed: Deed) -> bool:
    return deed.outcome == "done"
