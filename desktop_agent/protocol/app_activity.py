"""The interface that reports a target's drawing and work after an action (used to wait for a still screen)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from desktop_agent.protocol.geometry import Rect


@dataclass(frozen=True)
class News:
    """What happened since the last query.

    `drawn` are the rectangles drawn in (screen pixels; their content may be unchanged), `windows` says that a
    window was opened, closed or moved.
    """

    drawn: tuple[Rect, ...] = ()
    windows: bool = False

    @property
    def any(self) -> bool:
        return self.windows or bool(self.drawn)


class Activity(ABC):
    """Watches one target from its construction on. For one thread; every method raises TargetError."""

    @abstractmethod
    def begin(self) -> None:
        """Start watching the applications that the action just carried out has reached."""

    @abstractmethod
    def wait(self, seconds: float) -> News:
        """What happened since the last call; waits at most so many seconds when there is nothing yet."""

    @abstractmethod
    def waits(self) -> bool:
        """True while those applications have not read the input yet, or wait for a reply from the network.

        For a bounded time only.
        """

    @abstractmethod
    def computes(self) -> bool | None:
        """True while those applications use a processor; None when unknown."""
