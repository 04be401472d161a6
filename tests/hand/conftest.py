"""Fixtures for the controller alone, and for hand and guard on a private display."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.hand.controlled import Bench

if TYPE_CHECKING:
    from tests.desk import Desk
    from tests.hand.workplace import Workplace


@pytest.fixture
def bench() -> Bench:
    """A controller of this process, on an input in memory."""
    return Bench()


@pytest.fixture
def workplace(shared_display: Desk) -> Iterator[Workplace]:
    """Running hand and guard on the shared display."""
    from tests.hand.workplace import Workplace

    place = Workplace(shared_display)
    place.hands.start()
    yield place
    place.hands.close()
    assert shared_display.held() == (set(), 0)
