"""Models whose output is numbers: frame by frame they say where pointer, buttons and keys are."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from desktop_agent.llm.base import Answer, Conversation, Model, OwnLoop, Support
from desktop_agent.protocol.errors import ModelError
from desktop_agent.protocol.geometry import Size
from desktop_agent.protocol.input_events import Button
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.vision.observation import Observation

if TYPE_CHECKING:
    from desktop_agent.agent.own_run import OwnRun  # loads more than a list of models needs


class Tick(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The input that a numeric policy wants at one moment: the pointer's place, in pixels of the frame, and what is held down.

    `keys` are names as in the operations (a, ctrl, enter). `value` is what the policy estimates the moment to be
    worth, None where it estimates nothing; `done` ends the run.
    """

    x: int
    y: int
    buttons: frozenset[Button] = frozenset()
    keys: frozenset[str] = frozenset()
    value: float | None = None
    done: bool = False


class NumericPolicy(Model):
    """A model whose output is not text: frame by frame it says where pointer, buttons and keys are.

    What `create` returns where a plug-in is one. It is worked thirty times a second; what it holds down is let go when
    it thinks longer than a tenth of a second.
    """

    takes_turns = False
    rate = 30.0
    """Ticks a second."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.support = Support(images=False, strict_schema=False, messages=False)

    @abstractmethod
    def act(self, frame: bytes, size: Size, tick: int) -> Tick:
        """The tick for a frame of this size: rows of pixels of four bytes (blue, green, red, unused), top row first.

        `tick` counts from 0. Raises ModelError. An exception of any other kind ends the run as a failure inside.
        """

    def own_loop(self, run: OwnRun) -> OwnLoop:
        from desktop_agent.extras.ticks.tick_loop import TickLoop  # it needs this file

        return TickLoop.of(self, run)

    def begin(self, goal: str) -> None:
        """A run begins; the words of the goal are there for whoever can use them. Raises ModelError."""

    def abandon(self) -> None:
        """The tick under way is not waited for any more: it should end soon. From any thread."""

    def server(self) -> str:
        return ""

    def reply(
        self,
        conversation: Conversation,  # noqa: ARG002
        observation: Observation,  # noqa: ARG002
        *,
        on_note: Callable[[str], None],  # noqa: ARG002
        stop: StopFlag,
    ) -> Answer:
        stop.check()
        raise ModelError(f"{self.name} gives numbers, no replies.", "Choose another model.")
