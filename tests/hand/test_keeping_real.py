"""What a batch keeps is let go by a real hand: when no batch follows, after ESC, and when the program dies."""

from __future__ import annotations

import threading

import msgspec
import pytest

from desktop_agent.hand.injector.stop_gate import LEASE
from desktop_agent.protocol import ops
from tests.hand.human import Human
from tests.hand.workplace import Workplace

pytestmark = pytest.mark.linux("works on a private display")

PRESS = (ops.KeyDown("shift"), ops.MouseDown("left", 20, 700))


def tick(place: Workplace, *operations: ops.Op) -> list[str]:
    batch = msgspec.structs.replace(place.batch(*operations), keeps=LEASE)
    return [result.outcome for result in place.hands.execute(batch)]


def keep(place: Workplace, over: threading.Event) -> None:
    """Tick on with nothing new until it is over."""
    while not over.wait(LEASE / 4):
        tick(place)


def test_without_a_next_batch_it_is_let_go(workplace: Workplace) -> None:
    assert tick(workplace, *PRESS) == ["done", "done"]
    workplace.await_release()
    assert not workplace.hands.stopped, "the end of a lease is no stop"
    assert workplace.do(ops.KeyDown("shift"), ops.KeyUp("shift")) == ["done", "done"]


def test_escape_lets_go_between_batches(workplace: Workplace, human: Human) -> None:
    over = threading.Event()
    assert tick(workplace, *PRESS) == ["done", "done"]
    keeping = threading.Thread(target=keep, args=(workplace, over))
    keeping.start()
    human.tap()
    workplace.await_stop("ESC was pressed")
    workplace.await_release()
    over.set()
    keeping.join()
    assert tick(workplace, *PRESS)[0] == "stopped" and workplace.desk.held() == (set(), 0)
    assert workplace.hands.pids[0], "the hand let go by itself and was not ended for it"


def test_the_hand_lets_go_when_its_guard_is_killed(workplace: Workplace) -> None:
    assert tick(workplace, *PRESS) == ["done", "done"]
    workplace.kill(workplace.guard)
    workplace.await_release()


def hold(place: Workplace, *operations: ops.Op) -> list[str]:
    batch = msgspec.structs.replace(place.batch(*operations), holds_buttons=True)
    return [result.outcome for result in place.hands.execute(batch)]


def test_a_button_stays_down_from_batch_to_batch_until_it_is_let_go(workplace: Workplace) -> None:
    assert hold(workplace, ops.MouseDown("left", 20, 700)) == ["done"]
    assert hold(workplace, ops.Move(60, 700)) == ["done"]
    assert workplace.desk.held() == (set(), 1 << 8)
    assert hold(workplace, ops.MouseUp("left")) == ["done"]
    assert workplace.desk.held() == (set(), 0)


def test_escape_lets_go_of_a_button_that_is_held_between_batches(workplace: Workplace, human: Human) -> None:
    assert hold(workplace, ops.MouseDown("left", 20, 700)) == ["done"]
    human.tap()
    workplace.await_stop("ESC was pressed")
    workplace.await_release()
    assert hold(workplace, ops.MouseUp("left")) == ["stopped"]


def test_a_killed_hand_leaves_no_held_button(workplace: Workplace) -> None:
    assert hold(workplace, ops.MouseDown("left", 20, 700)) == ["done"]
    workplace.kill(workplace.hand)
    workplace.await_release()
