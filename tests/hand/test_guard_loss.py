"""A hand whose guard is gone stops, and lets go even while its acting thread is in a long call."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator

import pytest

from desktop_agent.hand.injector.guard_loss import Alone
from desktop_agent.hand.injector.ledger import BUTTONS
from desktop_agent.hand.ipc.shared_block import Shared, Word
from desktop_agent.protocol.stop_flag import StopFlag
from tests.desk import Desk, until
from tests.hand.human import Human

KEY = 53  # x on this display's keyboard


@pytest.fixture
def guard() -> Iterator[subprocess.Popen[bytes]]:
    """A process that stands for the guard: only its end counts."""
    process = subprocess.Popen(["sleep", "600"])
    yield process
    process.kill()
    process.wait()


@pytest.fixture
def on_display(shared_display: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in shared_display.environment.items():
        monkeypatch.setenv(name, value)


def _left_alone(
    guard: subprocess.Popen[bytes], hold: Callable[[Shared], None]
) -> tuple[Alone, StopFlag, Shared]:
    shared, flag = Shared.private(), StopFlag()
    alone = Alone(shared, flag)
    alone.watch()
    shared[Word.GUARD_PID] = guard.pid
    hold(shared)
    assert not flag.is_set() and not alone.gone
    guard.kill()
    until(flag.is_set, "the stop")
    return alone, flag, shared


def test_the_end_of_the_guard_stops_the_hand(on_display: None, guard: subprocess.Popen[bytes]) -> None:
    alone, flag, _ = _left_alone(guard, lambda shared: None)
    assert alone.gone and "guard process ended" in flag.reason


def test_what_the_acting_thread_cannot_release_now_is_released(
    on_display: None, shared_display: Desk, human: Human, guard: subprocess.Popen[bytes]
) -> None:
    def hold(shared: Shared) -> None:
        shared.add_codes(Word.KEYS, (KEY,))
        shared[Word.BUTTONS] = 1 << BUTTONS.index("left")
        human.press(KEY)
        human.press_button(1)
        assert shared_display.held() != (set(), 0)

    _left_alone(guard, hold)
    until(lambda: shared_display.held() == (set(), 0), "everything released")
