"""A hand that does nothing any more (stopped, swapped out) holds neither keys nor the desktop."""

from __future__ import annotations

from desktop_agent.hand.ipc.shared_block import Reason
from desktop_agent.protocol import ops
from tests.hand.frozen import freeze, freeze_in_grab, shared_of
from tests.hand.human import Human
from tests.hand.workplace import Workplace


def test_one_that_has_grabbed_the_server_is_ended_without_any_stop(workplace: Workplace) -> None:
    job = workplace.begin(ops.KeyDown("f9"), ops.Type("x" * 9_000, 0.001))
    freeze_in_grab(workplace)
    somebody = Human(workplace.desk.environment)  # a client like any other: the server answers it again
    somebody.close()
    assert "hand process" in job.error().message
    workplace.await_release()
    assert shared_of(workplace).reason is Reason.HAND_WEDGED
    workplace.await_stop("got stuck")
    workplace.hands.reset()
    assert workplace.do(ops.Move(5, 5)) == ["done"]


def test_one_that_holds_nothing_is_ended_too_after_a_stop_so_that_its_batch_ends(
    workplace: Workplace, human: Human
) -> None:
    job = workplace.begin(ops.Wait(25))
    freeze(workplace.hand)
    human.tap()
    assert job.error().advice
    workplace.await_stop("ESC was pressed")
    assert shared_of(workplace).reason is Reason.ESCAPE
