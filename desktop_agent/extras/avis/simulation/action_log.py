"""What was done on a simulated desktop, and what came of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeAlias

import msgspec

Outcome: TypeAlias = Literal["done", "refused", "failed"]
_KEPT = 10_000


class LoggedAction(msgspec.Struct, frozen=True):
    """One line: which action on which element ("" for none), at what time of the desktop's clock, and its outcome in words."""

    time: float
    action: str
    element_id: str
    outcome: Outcome
    outcome_message: str = ""
    command: dict[str, Any] | None = None


class ActionLog:
    """The last lines, oldest first."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._lines: deque[LoggedAction] = deque(maxlen=_KEPT)

    def note(
        self,
        action: str,
        element: str,
        outcome: Outcome,
        message: str = "",
        command: dict[str, Any] | None = None,
    ) -> LoggedAction:
        """Add a line; it is returned."""
        line = LoggedAction(round(self._now(), 3), action, element, outcome, message, command)
        self._lines.append(line)
        return line

    def __iter__(self) -> Iterator[LoggedAction]:
        return iter(tuple(self._lines))

    def __len__(self) -> int:
        return len(self._lines)
