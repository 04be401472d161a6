"""What a place can tell about itself after an action, besides its picture: where it draws, and whether it works."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from desktop_agent.protocol.geometry import Rect


@dataclass(frozen=True)
class News:
    """What has come in: rectangles that were drawn (screen pixels, perhaps with what was there already),
    and whether a window was opened, closed or moved."""

    drawn: tuple[Rect, ...] = ()
    windows: bool = False

    @property
    def any(self) -> bool:
        return self.windows or bool(self.drawn)


class Activity(ABC):
    """Watches one place from when it is made; one thread uses it. Every method raises TargetError."""

    @abstractmethod
    def begin(self) -> None:
        """An action has just been carried out: from now on say whether its applications are at work."""

    @abstractmethod
    def wait(self, seconds: float) -> News:
        """What has been drawn since the last call, waiting so long for it when there is nothing yet."""

    @abstractmethod
    def waits(self) -> bool:
        """Is more to come: have those applications not taken the action yet, or no answer from the network
        to what they asked since? For a bounded time only."""

    @abstractmethod
    def computes(self) -> bool | None:
        """Do those applications use a processor? None when that cannot be told."""
