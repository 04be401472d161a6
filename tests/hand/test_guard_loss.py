"""A hand whose guard is gone stops, and lets go even while its acting thread is in a long call."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator

import pytest

from desktop_agent.hand.injector.main import GuardLoss
from desktop_agent.hand.ipc.shared_block import Shared, Word
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.targets.base import releaser
from tests.desk import Desk, until
from tests.hand.human import Human

KEY = 53  # x on this display's keyboard
LEFT = 1  # the X button


@pytest.fixture
def guard() -> Iterator[subprocess.Popen[bytes]]:
    """A process that stands for the guard: only its end counts."""
    process = subprocess.Popen(["sleep", "600"])
    yield process
    process.kill()
    process.wait()


def _lose(
    guard: subprocess.Popen[bytes], desk: Desk, hold: Callable[[Shared], None]
) -> tuple[GuardLoss, StopFlag, Shared]:
    shared, flag = Shared.private(), StopFlag()
    loss = GuardLoss(shared, flag, lambda: releaser(desk.target.address()))
    loss.watch()
    shared[Word.GUARD_PID] = guard.pid
    hold(shared)
    assert not flag.is_set() and not loss.gone
    guard.kill()
    until(flag.is_set, "the stop")
    return loss, flag, shared


def test_the_end_of_the_guard_stops_the_hand(shared_display: Desk, guard: subprocess.Popen[bytes]) -> None:
    loss, flag, _ = _lose(guard, shared_display, lambda shared: None)
    assert loss.gone and "guard process ended" in flag.reason


def test_what_the_acting_thread_cannot_release_now_is_released(
    shared_display: Desk, human: Human, guard: subprocess.Popen[bytes]
) -> None:
    def hold(shared: Shared) -> None:
        shared.add_codes(Word.KEYS, (KEY,))
        shared[Word.BUTTONS] = 1 << LEFT
        human.press(KEY)
        human.press_button(LEFT)
        assert shared_display.held() != (set(), 0)

    _lose(guard, shared_display, hold)
    until(lambda: shared_display.held() == (set(), 0), "everything released")
