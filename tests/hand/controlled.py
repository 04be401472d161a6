"""A controller on an input that lives in memory, and what it told."""

from __future__ import annotations

from dataclasses import dataclass, field

from desktop_agent.hand.injector.controller import Controller
from desktop_agent.hand.ipc.shared_block import Shared, Word
from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Batch, OpResult, Progress
from desktop_agent.protocol.geometry import Rect, Viewport
from tests.support.memory_input import SCREEN, MemoryInput

VIEW = Viewport(SCREEN, SCREEN.size, epoch=1)
BOX = {"e1": Rect(100, 100, 40, 20), "e2": Rect(300, 300, 40, 20), "off": Rect(900, 10, 40, 20)}
NOBODY = Rect(700, 0, 100, 600)


@dataclass
class Bench:
    """A controller on its input, and what it told."""

    input: MemoryInput = field(default_factory=MemoryInput)
    shared: Shared = field(default_factory=Shared.private)
    told: list[Progress | OpResult] = field(default_factory=list)
    view: Viewport = VIEW
    guarded: bool = False

    def __post_init__(self) -> None:
        self.controller = Controller(self.input, self.shared, guarded=self.guarded)

    def do(self, *operations: ops.Op, seconds: float = 20, generation: int | None = None) -> list[OpResult]:
        current = self.shared.generation if generation is None else generation
        batch = Batch("b", operations, self.view, BOX, current, seconds)
        results = self.controller.execute(batch, self.told.append)
        assert len(results) == len(operations)
        return results

    def outcomes(self, *operations: ops.Op) -> list[str]:
        return [result.outcome for result in self.do(*operations)]

    def refusal(self, *operations: ops.Op) -> str:
        """The detail of the last operation, which must have been refused."""
        last = self.do(*operations)[-1]
        assert last.outcome == "refused", last
        return last.detail

    def assert_nothing_held(self) -> None:
        assert self.input.down == set()
        assert self.controller.held == ()
        assert not self.shared.holding
        assert self.shared[Word.EMITTING_SINCE] == self.shared[Word.BUSY] == 0
