"""What belongs to one turn of the loop: what the model asked to see, and where the seconds went."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from desktop_agent.protocol import feed as say
from desktop_agent.protocol.geometry import Rect


@dataclass
class NextLook:
    """What the model asked to see in the next turn."""

    detail: Rect | None = None
    read: bool = False
    changed: str = ""


@dataclass
class Clock:
    """Where the seconds of one turn went."""

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
