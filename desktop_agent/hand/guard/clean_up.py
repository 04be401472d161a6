"""Ends a hand that does not end by itself, releases what it holds and puts the keyboard back."""

from __future__ import annotations

import threading
import time

from desktop_agent.hand.ipc.shared_block import Shared, Word
from desktop_agent.platforms.base import Releaser
from desktop_agent.platforms.host import Peer

CLEANING = 2.0
"""Seconds that a killed hand may take to be gone."""


# Events that a dead process had queued may still arrive: stay that long with nothing held.
CALM = 0.05
LONGEST = 2.0
PAUSE = 0.002


def end_hand(shared: Shared, hand: Peer, *, let_go: float, end_itself: float) -> None:
    """Let the hand let go (within so many seconds) and end; a slow one is killed.

    One that is frozen or was killed is not waited for: on a busy machine its end may take longer than the letting go.
    """
    end = time.monotonic() + let_go
    while shared.holding and time.monotonic() < end:
        if hand.killed():
            return
        if hand.frozen() or hand.wait(PAUSE):
            break
    if shared.holding or not hand.wait(end_itself):
        hand.kill()


def clean_up(shared: Shared, releaser: Releaser, hand: Peer | None) -> bool:
    """Release what the ledger says is held and take away what typing mapped. Raises what the releaser raises.

    Returns whether there was anything to release or to take away. The hand must have ended, or been killed.
    """
    held = shared.holding
    release_held(shared, releaser)
    if hand is not None:
        hand.wait(CLEANING)  # killed it does nothing more, but its end may take a while
    spares = shared.codes(Word.SPARES)
    mapped = releaser.unmap(spares)
    shared.drop_codes(Word.SPARES, spares)
    shared.clear_held()
    return held or mapped > 0


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
