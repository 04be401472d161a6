"""The agent as its surroundings see it: words and switches in, feed events out.

The window, the command line and tests all drive the agent through this one door.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Literal, TypeAlias

import msgspec

from desktop_agent.platforms.base import HintSurface
from desktop_agent.protocol.agent_events import FeedEvent, StandingGrant
from desktop_agent.protocol.chat_messages import PictureBlock
from desktop_agent.protocol.geometry import Rect
from desktop_agent.protocol.op_change import OpChange
from desktop_agent.protocol.permission import Level

StepMode: TypeAlias = Literal["off", "action", "plan"]


class AgentInfo(msgspec.Struct, frozen=True):
    """What the agent works with: names for people, and whether a model's key was found.

    `model_note` says why this model was chosen, in words for the user ("No key found: …");
    `permission` is how far the agent may go by itself; `start_note` is what the user is to be told of the
    start of the program, "" for nothing; `region` is what it may act in, None for all screens.
    """

    target: str
    model: str
    step_mode: StepMode
    max_steps: int
    key_found: bool
    model_note: str = ""
    permission: Level = "restricted"
    start_note: str = ""
    region: Rect | None = None


ASKED_TO_STOP = "you asked for it from outside the window"
"""The reason of a stop that another start, the task bar or a key of the desktop asked for."""


class AgentPort(ABC):
    """Everything but `serve` may be called from any thread and never blocks."""

    @abstractmethod
    def serve(self) -> None:
        """Work until `quit`; runs in a thread of its own."""

    @abstractmethod
    def subscribe(self, listener: Callable[[FeedEvent], None]) -> None:
        """`listener` gets every feed event, in order, in the agent's thread (previews come in one of their own)."""

    @abstractmethod
    def send(self, text: str, pictures: tuple[PictureBlock, ...] = ()) -> None:
        """A goal when idle or ended (this lifts a stop: the human's act); otherwise an answer or a change of goal.

        `pictures` are the user's own, shown to a model that sees pictures; they grant nothing.
        """

    @abstractmethod
    def resume_run(self, folder: str) -> None:
        """Go on with a run that was cut short, by its folder or its name. Nothing while another one goes on."""

    @abstractmethod
    def new_conversation(self) -> None:
        """The next run is told nothing of those before it."""

    @abstractmethod
    def approve(self, id: str, always: bool = False) -> None:
        """The human's yes to the batch that was asked for under `id`; any other id is ignored."""

    @abstractmethod
    def skip(self, id: str) -> None:
        """The human's no to the batch `id`: it is not carried out and the model is told."""

    @abstractmethod
    def edit(self, id: str, changes: tuple[OpChange, ...]) -> None:
        """The user changed what was asked for under `id`: it is judged anew, and asked about in a question of its own."""

    @abstractmethod
    def promise_to_show(self, seconds: float) -> None:
        """From now on every question comes into the user's sight within so many seconds, which `shown` tells.

        One that does not is refused, and ends the run with an error that says so. 0 takes the promise back.
        """

    @abstractmethod
    def shown(self, id: str) -> None:
        """The question `id` is in the user's sight."""

    @abstractmethod
    def not_shown(self, id: str, why: str) -> None:
        """The question `id` cannot be brought to the user's sight: it is refused, as `promise_to_show` says."""

    @abstractmethod
    def standing(self) -> tuple[StandingGrant, ...]:
        """What the user allowed with "always", the oldest first; `StandingSet` tells when that changes."""

    @abstractmethod
    def take_back(self, id: str) -> None:
        """The user takes back one of `standing`: it holds no more from now on, which the run's log tells."""

    @abstractmethod
    def pause(self) -> None:
        """Finish the current event, then do nothing until `resume`."""

    @abstractmethod
    def resume(self) -> None:
        """Go on after a pause, with a fresh look. Has no effect after a stop."""

    @abstractmethod
    def stop(self, reason: str = "you pressed Stop") -> None:
        """Stop at once and release everything."""

    @abstractmethod
    def reset(self) -> None:
        """Lift the stop latch; never resumes anything."""

    @abstractmethod
    def set_step_mode(self, mode: StepMode) -> None:
        """Ask before each action, before each plan step, or not at all."""

    def prepare(self) -> None:
        """Bring up what a run needs, because the user is about to give a goal."""

    def hint_surface(self) -> HintSurface | None:
        """What shows hints over the screen it works on now; None where it works on none that the user sits at."""
        return None

    @abstractmethod
    def quit(self) -> None:
        """Stop and let `serve` return."""

    @property
    @abstractmethod
    def info(self) -> AgentInfo:
        """What the agent works with now."""
