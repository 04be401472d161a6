"""An input whose k-th call goes wrong, in every way a system can."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeVar

from desktop_agent.platforms.base import Input
from desktop_agent.protocol.errors import Refused, TargetError
from desktop_agent.protocol.geometry import Geometry, Point
from desktop_agent.protocol.input_events import InputEvent, Text

T = TypeVar("T")


class Fault(StrEnum):
    """What becomes of the call."""

    EXCEPTION = "an exception"  # of no kind anybody expects
    REFUSED = "a refusal"
    LOST = "done, but its answer lost"
    SHORT = "half done"  # of a text only the first half
    HANG = "a hang beyond the batch's time"
    CLOSED = "the connection closed"  # and stays closed


class Faulty(Input):
    """Passes every call on to `inner` but the k-th (`at`, from 1; 0 for none) and counts them.

    `hang` lets more time pass than the batch has.
    """

    def __init__(self, inner: Input, fault: Fault, at: int, hang: Callable[[], None]) -> None:
        self._inner = inner
        self._fault = fault
        self._at = at
        self._hang = hang
        self.calls = 0

    def _call(self, method: Callable[..., T], *given: Any) -> T:
        self.calls += 1
        if self.calls == self._at:
            self._go_wrong(method, *given)
        if self._fault is Fault.CLOSED and 0 < self._at < self.calls:
            raise TargetError("The connection has gone.")
        return method(*given)

    def _go_wrong(self, method: Callable[..., T], *given: Any) -> None:
        """Returns only when the call is still to be made."""
        match self._fault:
            case Fault.EXCEPTION:
                raise ArithmeticError("injected")
            case Fault.REFUSED:
                raise Refused("Injected.")
            case Fault.LOST:
                method(*given)
                raise TargetError("Injected.")
            case Fault.SHORT:
                method(*map(_half, given))
                raise TargetError("Injected.")
            case Fault.HANG:
                self._hang()
            case Fault.CLOSED:
                raise TargetError("The connection has gone.")

    def emit(self, event: InputEvent) -> None:
        self._call(self._inner.emit, event)

    def geometry(self) -> Geometry:
        return self._call(self._inner.geometry)

    def pointer(self) -> Point:
        return self._call(self._inner.pointer)

    def owner_at(self, point: Point) -> int:
        return self._call(self._inner.owner_at, point)

    def focus_owner(self) -> int:
        return self._call(self._inner.focus_owner)

    def open(self, what: str) -> str:
        return self._call(self._inner.open, what)

    def codes(self, event: InputEvent) -> tuple[int, ...]:
        return self._call(self._inner.codes, event)

    def spare_codes(self) -> tuple[int, ...]:
        return self._call(self._inner.spare_codes)

    def prepare(self, text: str) -> None:
        self._call(self._inner.prepare, text)

    def close(self) -> None:
        self._call(self._inner.close)


def _half(given: Any) -> Any:
    return Text(given.chunk[: len(given.chunk) // 2]) if isinstance(given, Text) else given
