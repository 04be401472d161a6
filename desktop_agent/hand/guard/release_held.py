"""Releases what the ledger says a dead or stuck hand holds, until it stays released."""

from __future__ import annotations

import threading
import time

from desktop_agent.hand.ipc.shared_block import Shared, Word
from desktop_agent.platforms.base import Releaser

# Events that a dead process had queued may still arrive: stay that long with nothing held.
CALM = 0.05
LONGEST = 2.0
PAUSE = 0.002


def release_held(shared: Shared, releaser: Releaser) -> None:
    """Release until all have stayed up for a while; bounded, as the human may hold the same key.

    Raises what the releaser raises.
    """
    keys, buttons = set[int](), set[int]()
    began = calm_since = time.monotonic()
    while (now := time.monotonic()) - began < LONGEST and now - calm_since < CALM:
        keys |= set(shared.codes(Word.KEYS))  # a hand that still lives may have pressed one more
        buttons |= set(shared.codes(Word.BUTTONS))
        if not keys and not buttons:
            return
        if not releaser.release(sorted(keys), sorted(buttons)):
            calm_since = time.monotonic()
        threading.Event().wait(PAUSE)


def wait_until_released(shared: Shared, seconds: float) -> bool:
    """Give the hand so long to release by itself; False when it still holds something then."""
    end = time.monotonic() + seconds
    while shared.holding and time.monotonic() < end:
        threading.Event().wait(PAUSE)
    return not shared.holding
