"""A batch that its caller cannot follow any more (the log is full, say) stops, and the next begins clean."""

from __future__ import annotations

import pytest

from desktop_agent.protocol import ops
from desktop_agent.protocol.batch import Progress
from desktop_agent.protocol.errors import StoreError
from tests.hand.workplace import HOLDING, Workplace


def test_a_listener_that_fails_stops_the_batch(workplace: Workplace) -> None:
    def fail(progress: Progress) -> None:
        if progress.index == 2:
            raise StoreError("The disk is full.", "Free some space.")

    with pytest.raises(StoreError, match="disk is full"):
        workplace.hands.execute(workplace.batch(*HOLDING), fail)
    assert workplace.desk.held() == (set(), 0)
    assert workplace.hands.stopped
    workplace.hands.reset()
    assert workplace.do(ops.Move(5, 5), ops.Move(6, 6)) == ["done", "done"]
