"""The face of the places that goals are worked at, and what happens there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeAlias

import msgspec

from desktop_agent.extras.fleet.ended_goal import EndedGoal


class DesktopReady(msgspec.Struct, frozen=True):
    """A desktop has found its place, on this node, and waits for a goal."""

    desktop: str
    node: str


class DesktopLost(msgspec.Struct, frozen=True):
    """A desktop is gone, with whatever it was at; `hold` is for how many seconds that may still go on there."""

    desktop: str
    why: str
    hold: float = 0.0


class GoalEnded(msgspec.Struct, frozen=True):
    """The program at a desktop has ended; the desktop waits for a goal."""

    desktop: str
    goal: EndedGoal


class NotWorked(msgspec.Struct, frozen=True):
    """The program could not be started at a desktop, or was killed there: nothing of it runs any more."""

    desktop: str
    why: str


Happening: TypeAlias = DesktopReady | DesktopLost | GoalEnded | NotWorked


class DesktopGone(Exception):
    """The desktop that was asked is gone: it is told as DesktopLost, too."""


class Desktops(Protocol):
    """Desktops, each known by a name that is never used again."""

    def open(self) -> str:
        """Ask for one more; DesktopReady or DesktopLost follows, whenever there is room."""
        ...

    def give(self, desktop: str, arguments: Sequence[str]) -> None:
        """Begin a goal at a desktop that waits for one; GoalEnded, NotWorked or DesktopLost follows."""
        ...

    def recording(self, desktop: str, size: int) -> Iterator[bytes]:
        """The packed record of the last run there, piece by piece. Raises DesktopGone."""
        ...

    def happenings(self, seconds: float) -> Sequence[Happening]:
        """What has happened since the last time; waits so long for the first of it."""
        ...

    def drop(self, desktop: str) -> None:
        """Give a desktop back, with what runs there; nothing is told of it any more."""
        ...

    def close(self) -> None:
        """End all of them, and what runs there."""
        ...
