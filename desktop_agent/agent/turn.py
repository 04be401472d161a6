"""State of one turn of the run loop: what the model asked to see next, and the seconds that each phase took."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from desktop_agent.protocol import agent_events as say
from desktop_agent.protocol.geometry import Rect
from desktop_agent.vision.observation import Observation
from desktop_agent.vision.settling.result import Settled

FRESH_SECONDS = 0.25


@dataclass
class NextLook:
    """What the model asked to see in the next turn."""

    detail: Rect | None = None
    read: bool = False
    settled: Settled | None = None
    seen: Observation | None = None

    def fresh(self) -> Observation | None:
        """The look taken after acting, if nothing more was asked for and it is younger than FRESH_SECONDS; else None."""
        plain = self.detail is None and not self.read
        return self.seen if plain and self.seen and time.time() - self.seen.time < FRESH_SECONDS else None


@dataclass
class Clock:
    """Seconds of one turn, by phase."""

    began: float = field(default_factory=time.monotonic)
    look: float = 0.0
    model: float = 0.0
    act: float = 0.0
    settle: float = 0.0

    def turn(self, number: int) -> say.Turn:
        total = time.monotonic() - self.began
        return say.Turn(
            number=number, total=total, look=self.look, model=self.model, act=self.act, settle=self.settle
        )
