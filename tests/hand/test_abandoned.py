"""A batch that its caller cannot follow any more (the log is full, say) stops, and the next begins clean."""

from __future__ import annotations

import pytest

from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Progress
from desktop_agent.protocol.errors import StoreError
from tests.hand.frozen import freeze
from tests.hand.workplace import HOLDING, Workplace


@pytest.mark.parametrize("frozen", [False, True], ids=["hand well", "hand frozen"])
def test_a_listener_that_fails_stops_the_batch(workplace: Workplace, frozen: bool) -> None:
    """And it is what is told, also where the hand lets go so late that the guard ends it."""

    def fail(progress: Progress) -> None:
        if progress.index == 2:
            if frozen:
                freeze(workplace.hand)
            raise StoreError("The disk is full.", "Free some space.")

    with pytest.raises(StoreError, match="disk is full"):
        workplace.hands.execute(workplace.batch(*HOLDING), fail)
    workplace.await_release()
    assert workplace.hands.stopped
    workplace.hands.reset()
    assert workplace.do(ops.Move(5, 5), ops.Move(6, 6)) == ["done", "done"]
