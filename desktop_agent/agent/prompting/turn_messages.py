"""Adds to a run's conversation what is new in a turn: the user's words, what came of the last actions, the look."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from desktop_agent.agent.context.context import Context
from desktop_agent.agent.context.keyframes import Keyframes, ToldLook
from desktop_agent.agent.memory import RunMemory
from desktop_agent.agent.prompting.prompt import Prompter, TurnParts
from desktop_agent.llm.base import Support
from desktop_agent.protocol.chat_messages import Block, TextBlock
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.observation import Observation

_PART = "Changed part of the picture, x {} to {}, y {} to {}:"
_SAME = "Same picture."


@dataclass
class TurnMessages:
    """Words the turns of one run with `prompter` and adds them to `context`."""

    prompter: Prompter
    context: Context
    keyframes: Keyframes = field(default_factory=Keyframes)
    _said: int = 0
    _scope: tuple[str, ...] | None = None
    _environments: str | None = None

    def add(self, memory: RunMemory, observation: Observation, support: Support) -> None:
        """Add what has not been told yet. Raises StoreError."""
        for turn, text in memory.said[self._said :]:
            self.context.add("user", TextBlock(self.prompter.said(turn, text)))
        self._said = len(memory.said)
        told = self.keyframes.tell(observation, support)
        if told.keyframe:
            self.context.take_out_passing()
        parts = self._parts(memory, told)
        lasting = self.prompter.outcomes(memory.take_untold())
        words = self.prompter.look(memory, told, parts)
        blocks = [TextBlock(lasting)] if lasting else []
        self.context.add("environment", *blocks, TextBlock(words, passing=True), *_pictures(told, support))

    def begin_anew(self) -> None:
        """Tell everything in the next turn: what was told before has been taken out."""
        self.keyframes.forget()

    def _parts(self, memory: RunMemory, told: ToldLook) -> TurnParts:
        parts = TurnParts(
            plan=told.keyframe and bool(memory.plan),
            scope=told.keyframe or memory.scope != self._scope,
            environments=told.keyframe or memory.environments != self._environments,
        )
        self._scope, self._environments = memory.scope, memory.environments
        return parts


def _pictures(told: ToldLook, support: Support) -> Iterator[Block]:
    if support.images and not told.pictures:
        yield TextBlock(_SAME, passing=True)
    for picture, part in told.pictures:
        if part is not None:
            yield TextBlock(_caption(part), passing=True)
        yield picture


def _caption(part: Rect) -> str:
    return _PART.format(part.x, part.right - 1, part.y, part.bottom - 1)
