"""The watcher: waits for the guard's end, and when that was no orderly one it sees that nothing stays held.

It polls nothing and holds nothing but a connection that releases. The guard starts it, as nobody's child; it ends
after the guard has cleaned up, or after it has done so itself.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from desktop_agent.hand.guard.clean_up import clean_up, end_hand
from desktop_agent.hand.ipc.address_file import read_address
from desktop_agent.hand.ipc.shared_block import Shared, Word
from desktop_agent.platforms import host
from desktop_agent.platforms.base import Releaser
from desktop_agent.platforms.host import Peer
from desktop_agent.protocol.errors import DesktopAgentError
from desktop_agent.targets.base import releaser

COMING = 0.05
"""Seconds between two looks whether the hand, which starts at the same time, has told its process id."""
LET_GO = 0.01
"""Seconds in which a hand that has lost its guard lets go by itself."""
END_ITSELF = 2.0
"""Seconds in which it then puts the keyboard back and ends."""


def run_watcher(argv: Sequence[str]) -> int:
    """`argv` is the path of the shared block. Returns 0 when nothing is held any more, else 1."""
    path = Path(argv[0])
    host.schedule_guard()
    try:
        shared = Shared.attach(path)
        shared[Word.WATCHER_PID] = os.getpid()
        Watcher(shared, releaser(read_address(path.parent))).run()
        if Peer(shared[Word.BRAIN_PID]).wait(0):
            shutil.rmtree(path.parent, ignore_errors=True)
    except DesktopAgentError as error:
        print(error, file=sys.stderr)  # noqa: T201 - into the guard's log
        return 1
    return 0


class Watcher:
    """Watches hand and guard by the ids that the shared block tells."""

    def __init__(self, shared: Shared, releaser: Releaser) -> None:
        self._shared = shared
        self._releaser = releaser

    def run(self) -> None:
        """Returns when nothing can be held any more. Raises what the releaser raises."""
        guard = Peer(self._shared[Word.GUARD_PID])
        hand = self._find_hand(guard)
        guard.wait()
        if self._shared[Word.OVER]:
            return
        if hand is not None:
            end_hand(self._shared, hand, let_go=LET_GO, end_itself=END_ITSELF)
        clean_up(self._shared, self._releaser, hand)
        self._shared[Word.OVER] = 1

    def _find_hand(self, guard: Peer) -> Peer | None:
        """The hand, as soon as there is one; None when there was none before the guard's end."""
        while not (pid := self._shared[Word.HAND_PID]):
            if guard.wait(COMING):
                return None
        return Peer(pid)
