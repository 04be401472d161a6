"""Letting go, in somebody else's place, of what the ledger says is held; and seeing that it stays so."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Protocol

from desktop_agent.hand.ipc.shared_block import Shared, Word

# Events that a dead process had queued may still arrive: stay that long with nothing held.
CALM = 0.05
LONGEST = 2.0
PAUSE = 0.002


class Releaser(Protocol):
    """A way to the system that does not need the hand."""

    def release(self, keys: Sequence[int], buttons: Sequence[int]) -> bool:
        """Release keycodes and buttons (indices of `ledger.BUTTONS`); True when all of them are up."""


def let_go(shared: Shared, releaser: Releaser) -> None:
    """Release until all have stayed up for a while; bounded, as the human may hold the same key.

    Raises what the releaser raises.
    """
    keys, buttons = set[int](), set[int]()
    began = calm_since = time.monotonic()
    while (now := time.monotonic()) - began < LONGEST and now - calm_since < CALM:
        keys |= set(shared.codes(Word.KEYS))  # a hand that still lives may have pressed one more
        buttons |= {index for index in range(64) if shared[Word.BUTTONS] >> index & 1}
        if not keys and not buttons:
            return
        if not releaser.release(sorted(keys), sorted(buttons)):
            calm_since = time.monotonic()
        threading.Event().wait(PAUSE)


def wait_until_let_go(shared: Shared, seconds: float) -> bool:
    """Give the hand so long to let go by itself; False when it still holds something then."""
    end = time.monotonic() + seconds
    while shared.holding and time.monotonic() < end:
        threading.Event().wait(PAUSE)
    return not shared.holding
