"""Adds to a run's conversation what is new in a turn: the user's words, what came of the last actions and of each tool call, the look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from desktop_agent.agent.context.context import Context
from desktop_agent.agent.context.keyframes import Keyframes, ToldLook, words_budget
from desktop_agent.agent.context.map_maker import MOST_LINES, map_lines
from desktop_agent.agent.memory import RunMemory
from desktop_agent.agent.prompting.prompt import Prompter, TurnParts
from desktop_agent.llm.base import Deed, Support
from desktop_agent.protocol.chat_messages import Block, PictureBlock, ResultBlock, TextBlock
from desktop_agent.protocol.dialects.base import ToolCall
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.elements.describe import BUDGET
from desktop_agent.vision.observation import Observation

_PART = "Part x {} to {}, y {} to {}:"
_SAME = "Same picture."
_UNSHOWN = "There is no picture of this look, because {}."


NOTED = "Noted."
AFTER_FAILURE = "Not executed: an operation before it in this turn was not done."
NOT_REACHED = "Not executed: the turn ended before it."
_Shown = list[TextBlock | PictureBlock]


@dataclass
class TurnMessages:
    """Words the turns of one run with `prompter` and adds them to `context`."""

    prompter: Prompter
    context: Context
    keyframes: Keyframes = field(default_factory=Keyframes)
    told: int = 0
    """How many of the user's later words the conversation holds."""
    first: str = ""
    """Words before the outcomes of the first turn that is told."""
    _scope: tuple[str, ...] | None = None
    _environments: str | None = None
    _map: str = ""

    def add(
        self, memory: RunMemory, observation: Observation, support: Support, calls: Sequence[ToolCall] = ()
    ) -> None:
        """Add what has not been told yet; `calls` are those of the last answer. Raises StoreError."""
        if self.prompter.dialect.screen_last:
            self._add_without_look(memory)
            return
        told = self.keyframes.tell(observation, support, [picture for _, picture in memory.pictures.values()])
        if told.keyframe:
            self.context.take_out_passing()
        answers = CallAnswers(self.prompter, memory)
        results, shown = answers.of(calls, list(_pictures(told, support, observation.unshown)))
        self.context.add("environment", *results)
        for turn, text in memory.said[self.told :]:
            self.context.add("user", TextBlock(self.prompter.said(turn, text)))
        self.told = len(memory.said)
        parts = self._parts(memory, told, support)
        self.keyframes.count(parts.map)
        words = self.prompter.look(memory, told, parts)
        first = [TextBlock(self.first)] if self.first else []
        self.first = ""
        outcomes = self._outcomes(memory, answers, answered=bool(calls))
        self.context.add("environment", *first, *outcomes, TextBlock(words, passing=True), *shown)
        if observation.unshown:
            self.keyframes.forget()  # what the next picture is compared with was not seen

    def _add_without_look(self, memory: RunMemory) -> None:
        """What was said and what came of the last command; what there is to see stands at the end of each request alone."""
        for turn, text in memory.said[self.told :]:
            self.context.add("user", TextBlock(self.prompter.said(turn, text)))
        self.told = len(memory.said)
        first = [TextBlock(self.first)] if self.first else []
        self.first = ""
        outcomes = self._outcomes(memory, CallAnswers(self.prompter, memory), answered=False)
        self.context.add("environment", *first, *outcomes)

    def _outcomes(self, memory: RunMemory, answers: CallAnswers, *, answered: bool) -> list[Block]:
        """What came of operations, and the pictures they showed, where no answer to a call has told it."""
        told = [deed for deeds in memory.results.values() for deed in deeds] if answered else []
        deeds = [deed for deed in memory.take_untold() if not any(deed is each for each in told)]
        words = self.prompter.outcomes(deeds)
        pictures = (
            () if answered else [each for number in memory.pictures for each in answers.picture(number)]
        )
        memory.begin_reply()
        return [*([TextBlock(words)] if words else []), *map(TextBlock, memory.take_remarks()), *pictures]

    def begin_anew(self) -> None:
        """Tell everything in the next turn: what was told before has been taken out."""
        self.keyframes.forget()

    def _parts(self, memory: RunMemory, told: ToldLook, support: Support) -> TurnParts:
        most = MOST_LINES if words_budget(support) == BUDGET else MOST_LINES // 3
        map_ = map_lines(memory.map, most) if memory.map is not None else ""
        parts = TurnParts(
            plan=told.keyframe and bool(memory.plan),
            scope=told.keyframe or memory.scope != self._scope,
            environments=told.keyframe or memory.environments != self._environments,
            map=map_ if told.keyframe or map_ != self._map else "",
        )
        self._scope, self._environments, self._map = memory.scope, memory.environments, map_
        return parts


def _pictures(told: ToldLook, support: Support, unshown: str) -> Iterator[TextBlock | PictureBlock]:
    if unshown:
        if support.images:
            yield TextBlock(_UNSHOWN.format(unshown), passing=True)
        return
    if support.images and not told.pictures:
        yield TextBlock(_SAME, passing=True)
    for picture, part in told.pictures:
        if part is not None:
            yield TextBlock(_caption(part), passing=True)
        yield picture


def _caption(part: Rect) -> str:
    return _PART.format(part.x, part.right - 1, part.y, part.bottom - 1)


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
