"""A strategy: decides what to press in a terminal that is seen in pictures, and tells whether the goal is reached.

Adding one is one new file `llm/strategies/NAME.py`, or a module of an installed package that an entry point of the group
`desktop_agent.strategies` names. It defines

    class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True)   all with defaults; those of [llm.terminal] of the same names
    def create(options: Options) -> AgentStrategy

A strategy presses nothing and reads nothing: it gets the whole history and answers. What it answers goes the one way of
every input, through policy, approval, hand and log.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Literal, TypeAlias

import msgspec

from desktop_agent.protocol.agent_events import Outcome
from desktop_agent.protocol.terminal_state import TerminalState
from desktop_agent.wire.base import KeyboardAction

CompletionStatus: TypeAlias = Literal["in work", "completed", "failed"]


class Decision(msgspec.Struct, frozen=True):
    """What to press next, and why, in words for people. Without an action the next picture is waited for."""

    action: KeyboardAction | None
    reasoning: str


class Completion(msgspec.Struct, frozen=True):
    """Whether the goal is reached, and by what that was seen; of a failure what went wrong."""

    status: CompletionStatus
    why: str = ""


class TakenAction(msgspec.Struct, frozen=True):
    """An action with its reasoning and what came of it; it was decided at the observation before number `seen`.

    `outcome` is None until it is known; `detail` says more, as why it was refused.
    """

    action: KeyboardAction
    reasoning: str
    seen: int
    outcome: Outcome | None = None
    detail: str = ""


class TerminalContext(msgspec.Struct, frozen=True):
    """All that a strategy knows: the goal, every state observed, every action taken, and every error, oldest first."""

    goal: str
    observations: tuple[TerminalState, ...] = ()
    actions: tuple[TakenAction, ...] = ()
    errors: tuple[str, ...] = ()

    def add_observation(self, state: TerminalState) -> TerminalContext:
        """The context with one more state."""
        return msgspec.structs.replace(self, observations=(*self.observations, state))

    def add_action(self, action: KeyboardAction, reasoning: str) -> TerminalContext:
        """The context with an action that was decided at the last observation."""
        taken = TakenAction(action, reasoning, len(self.observations))
        return msgspec.structs.replace(self, actions=(*self.actions, taken))

    def add_error(self, error: str) -> TerminalContext:
        """The context with one more error, in words."""
        return msgspec.structs.replace(self, errors=(*self.errors, error))

    def with_outcome(self, outcome: Outcome, detail: str) -> TerminalContext:
        """The context with what came of the last action."""
        last = msgspec.structs.replace(self.actions[-1], outcome=outcome, detail=detail)
        return msgspec.structs.replace(self, actions=(*self.actions[:-1], last))

    def seen_after(self, number: int) -> tuple[TerminalState, ...]:
        """The states that were observed after action number `number` (from 0) and before the next one."""
        following = self.actions[number + 1 : number + 2]
        return self.observations[
            self.actions[number].seen : following[0].seen if following else len(self.observations)
        ]


class AgentStrategy(ABC):
    """Decides by the history alone: both functions are pure, and the same context gives the same answer."""

    @abstractmethod
    def decide_action(self, context: TerminalContext, state: TerminalState) -> Decision:
        """What to press at `state`, the last of the observations. Asked only while the goal is in work."""

    @abstractmethod
    def evaluate_completion(self, context: TerminalContext, state: TerminalState) -> Completion:
        """Whether the goal is reached at `state`, the last of the observations. Asked before `decide_action`."""
