"""Ends a hand that does not end by itself, releases what it holds and puts the keyboard back."""

from __future__ import annotations

import time

from desktop_agent.hand.guard.release_held import PAUSE, release_held
from desktop_agent.hand.ipc.shared_block import Shared, Word
from desktop_agent.platforms.base import Releaser
from desktop_agent.platforms.host import Peer

CLEANING = 2.0
"""Seconds that a killed hand may take to be gone."""


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
