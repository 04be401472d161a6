"""The wheel in the ledger: its buttons are down for a moment only, in which a hand may be cut off."""

from __future__ import annotations

import pytest
import xcffib.xtest

from desktop_agent.hand.injector.ledger import Ledger
from desktop_agent.hand.ipc.shared_block import Shared, Word
from desktop_agent.platforms.x11.connection import Display
from desktop_agent.platforms.x11.input.input import DOWN, LEFT, RIGHT, UP, X11Input
from desktop_agent.platforms.x11.input_watch.release import X11Releaser
from desktop_agent.protocol.input_events import ButtonDown, Wheel
from tests.desk import Desk

_PRESS = 4


def held(shared: Shared) -> set[int]:
    """X numbers of the buttons that the ledger says are down."""
    return set(shared.codes(Word.BUTTONS))


@pytest.mark.parametrize(
    ("event", "numbers"),
    [
        (Wheel(0, 1), {UP}),
        (Wheel(0, -1), {DOWN}),
        (Wheel(-1, 0), {LEFT}),
        (Wheel(1, 0), {RIGHT}),
        (Wheel(2, -3), {DOWN, RIGHT}),
    ],
)
def test_a_notch_is_written_down_until_it_has_arrived(
    shared_display: Desk, event: Wheel, numbers: set[int]
) -> None:
    shared = Shared.private()
    ledger = Ledger(shared)
    input_ = X11Input(shared_display.environment)
    ledger.begin(ButtonDown("back"), input_.codes(ButtonDown("back")))
    ledger.begin(event, input_.codes(event))
    input_.close()
    assert held(shared) == numbers | {8} and "wheel" in ledger.names
    ledger.end(event)
    assert held(shared) == {8} and ledger.names == ("back button",)


def test_a_wheel_that_was_left_down_is_let_go(shared_display: Desk) -> None:
    display = Display(shared_display.environment)
    xtest = display.extension(xcffib.xtest.key)
    releaser = X11Releaser(display.connection)
    xtest.FakeInput(_PRESS, DOWN, 0, display.root, 0, 0, 0)
    display.sync()
    assert shared_display.held()[1]
    while not releaser.release((), [DOWN]):
        pass
    assert shared_display.held() == (set(), 0)
    display.close()
