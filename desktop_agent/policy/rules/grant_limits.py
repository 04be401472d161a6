"""Tells whether an operation lies beyond the time, applications and kinds of input that the level counts for."""

from __future__ import annotations

import time
from collections.abc import Callable
from fnmatch import fnmatchcase

from desktop_agent.policy.facts.confusables import fold
from desktop_agent.policy.facts.place import Place
from desktop_agent.protocol.op_traits import Traits
from desktop_agent.protocol.ops import Op
from desktop_agent.protocol.permission import InputKind, Rules

SINK = "beyond the grant"
_ONCE = "Your yes is for this alone; the settings, or --for, --in and --with, give more."
_NAMES: dict[InputKind, str] = {
    "pointer": "the mouse",
    "keyboard": "the keyboard",
    "open": "opening things",
    "commands": "commands and changes of files",
}


_MINUTE = 60.0


def kind_of_input(traits: Traits) -> InputKind | None:
    """What kind of input such an operation gives; None for one that only looks, waits or reads."""
    if traits.opens:
        return "open"
    if traits.keyboard:
        return "keyboard"
    if traits.pointer:
        return "pointer"
    return "commands" if traits.sink else None


def beyond(op: Op, place: Place, limits: Rules, *, over: bool) -> str:
    """Why the permission does not cover `op` at `place`, with what the user can do; "" where it does.

    `over`: its time is over.
    """
    kind = kind_of_input(op.traits)
    if kind is None:
        return ""
    if over and limits.minutes:
        return f"The time of your permission is over. {_ONCE}"
    if limits.inputs and kind not in limits.inputs:
        return f"Your permission does not cover {_NAMES[kind]}. {_ONCE}"
    if limits.applications and not op.traits.crosses_applications and not _is_in(limits.applications, place):
        where = place.application or place.program or place.name or "this place"
        return f"Your permission does not cover {where}. {_ONCE}"
    return ""


def _is_in(patterns: tuple[str, ...], place: Place) -> bool:
    """Never by the name of what is opened: a file may be called like an application."""
    names = filter(None, (place.application, place.program))
    return any(fnmatchcase(fold(name), fold(pattern)) for name in names for pattern in patterns)


def seconds_since_boot() -> float:
    """Seconds of a clock that nobody can set; where the system has one, it goes on while the computer sleeps."""
    if (clock := getattr(time, "CLOCK_BOOTTIME", None)) is None:
        return time.monotonic()
    return float(time.clock_gettime(clock))


class GrantClock:
    """Counts the minutes of a permission (0: no limit), by a clock that tells seconds."""

    def __init__(self, minutes: float, now: Callable[[], float] = seconds_since_boot) -> None:
        self._seconds, self._now = minutes * _MINUTE, now
        self._began: float | None = None

    def begin(self, *, anew: bool) -> None:
        """A run begins: the time begins `anew`, or goes on where it has begun already."""
        if anew or self._began is None:
            self._began = self._now()

    @property
    def left(self) -> float | None:
        """Seconds that are left, never less than 0; None for no limit."""
        if not self._seconds:
            return None
        passed = self._now() - self._began if self._began is not None else 0.0
        return max(0.0, self._seconds - passed)

    @property
    def over(self) -> bool:
        return self.left == 0
