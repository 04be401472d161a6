"""The strategy `once`: types the goal as one line, and tells what the terminal prints until its prompt is back.

It asks nothing of what it has typed: whether it worked is for the reader. For prompts that are no POSIX shell's.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from desktop_agent.extras.camera.llm.strategies._printed_lines import printed, waiting_prompt
from desktop_agent.extras.camera.llm.strategies.base import (
    AgentStrategy,
    Completion,
    Decision,
    TerminalContext,
)
from desktop_agent.protocol.terminal_state import TerminalState
from desktop_agent.wire.base import TextInput


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What can be set for it: `looks` at a terminal that does not answer, until it is given up."""

    looks: Annotated[int, msgspec.Meta(ge=1, le=100_000)] = 1_000


def create(options: Options) -> AgentStrategy:
    """The strategy; it needs nothing."""
    return OnceStrategy(options)


class OnceStrategy(AgentStrategy):
    """Types one line, once."""

    def __init__(self, options: Options) -> None:
        self._options = options

    def decide_action(self, context: TerminalContext, state: TerminalState) -> Decision:
        if context.actions or not waiting_prompt(state):
            return Decision(None, "I wait for the terminal's prompt.")
        return Decision(TextInput(f"{context.goal.strip()}\n"), f"Type “{context.goal.strip()}”.")

    def evaluate_completion(self, context: TerminalContext, state: TerminalState) -> Completion:
        line = context.goal.strip()
        if not line.isprintable() or not line:
            return Completion("failed", "I type one line, and the goal has to be it.")
        if context.actions:
            taken = context.actions[0]
            if taken.outcome not in (None, "done"):
                return Completion("failed", f"“{line}” was not typed: {taken.detail or taken.outcome}")
            found = printed(context.observations[taken.seen - 1], state, line)
            if found.came == "printed":
                return Completion("completed", "\n".join(found.lines) or "It prints nothing.")
        if len(context.observations) >= self._options.looks:
            return Completion("failed", "The terminal does not come back to its prompt.")
        return Completion("in work")
