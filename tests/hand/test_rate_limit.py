"""The token bucket, on a clock of its own."""

from __future__ import annotations

import pytest

from desktop_agent.hand.injector.rate_limit import RateLimit
from desktop_agent.protocol.errors import Stopped


class Clock:
    """Seconds that pass only when somebody waits."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds


def test_a_burst_passes_and_then_the_rate_holds() -> None:
    clock = Clock()
    rate = RateLimit(clock, per_second=10, burst=4)
    for _ in range(4):
        rate.take(clock.wait)
    assert clock.now == 100.0
    for _ in range(20):
        rate.take(clock.wait)
    assert clock.now == pytest.approx(102.0)


def test_rest_refills_no_more_than_the_burst() -> None:
    clock = Clock()
    rate = RateLimit(clock, per_second=10, burst=4)
    clock.wait(1000)
    for _ in range(5):
        rate.take(clock.wait)
    assert clock.now == pytest.approx(1100.1)


def test_a_stop_ends_the_wait() -> None:
    def stopped(seconds: float) -> None:
        raise Stopped("ESC was pressed")

    rate = RateLimit(Clock(), per_second=10, burst=1)
    rate.take(stopped)
    with pytest.raises(Stopped):
        rate.take(stopped)
