"""A goal worked by the model `terminal` in a real session on a real shell."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from desktop_agent.extras.camera.llm.terminal import Options, create
from desktop_agent.llm.base import Model
from desktop_agent.protocol import agent_events as say
from tests.support.memory_desk import Bench
from tests.support.shell_desk import ShellTarget


class ShellBench:
    """A folder with a shell in it. `ended` is "done" or "error", `told` what the user was told at the end."""

    def __init__(
        self,
        folder: Path,
        runs: Path,
        model: Model | None = None,
        permission: Any = "full",
        answer: Callable[[say.ApprovalAsked], bool] = lambda asked: True,
        **target: Any,
    ) -> None:
        self.folder = folder
        self.target = ShellTarget(folder, **target)
        self.bench = Bench(
            model or create(Options()), runs, self.target, permission=permission, max_steps=200, timeout=60
        )
        self.asked: list[say.ApprovalAsked] = []
        self.answer = answer
        self.bench.on_event = self._answered

    def _answered(self, event: say.FeedEvent) -> None:
        """The user at hand, who says yes (or no) to whatever is asked."""
        if isinstance(event, say.ApprovalAsked):
            self.asked.append(event)
            (self.bench.session.approve if self.answer(event) else self.bench.session.skip)(event.id)

    def run(self, goal: str) -> ShellBench:
        self.bench.run(goal)
        return self

    @property
    def ended(self) -> str:
        return self.bench.states[-1]

    @property
    def told(self) -> str:
        done = self.bench.of(say.GoalReached)
        errors = self.bench.of(say.Error)
        return done[-1].summary if self.ended == "done" else errors[-1].message if errors else ""

    @property
    def typed(self) -> str:
        return self.bench.target.input.text

    def close(self) -> None:
        self.target.stop()
