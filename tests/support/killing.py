"""The observer of a kill, in a process of its own: ends a process and watches the display until all is released.

It asks the X server itself what is down (QueryKeymap, QueryPointer) and what the keys mean, twice a
millisecond; what the app says plays no part. One JSON line on standard input is one Kill, one line on
standard output is what was Seen.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence

import msgspec

from tests.support.held import Held

POLL_SECONDS = 0.0005
CALM_SECONDS = 0.1
"""This long after everything is over nothing may be down: what a dead process had queued has arrived then."""
LIMIT_SECONDS = 5.0
ESCAPE = 9  # its key code on every evdev keyboard
NEXT_START = "from desktop_agent.hand.left_over import clean_up_left_over as start; start()"


class Kill(msgspec.Struct, frozen=True):
    """Kill `victim` (and `also`), then wait for the end of `others`, which shall end by themselves.

    With `freeze` the victim is only stopped (SIGSTOP), and somebody presses Esc. With `next_start` something of
    ours is started once all are gone; the times are from then on. Without `key_map` what the keys mean is left aside.
    """

    victim: int
    others: tuple[int, ...] = ()
    also: tuple[int, ...] = ()
    freeze: bool = False
    next_start: bool = False
    key_map: bool = True


class Seen(msgspec.Struct, frozen=True):
    """`held`: how many keys and buttons were down at the kill. `released`: milliseconds from the kill until
    nothing was down any more, for good; None when something stayed. `left`: what stayed, in words.
    `mapped`: whether the key map was another one at the kill; `restored`: milliseconds until it was
    the old one; None when it never was. `ended`: whether all processes did."""

    held: int
    released: float | None
    left: tuple[str, ...]
    mapped: bool
    restored: float | None
    ended: bool


class Witness:
    """One display, as it is when nobody holds anything."""

    def __init__(self) -> None:
        self._held = Held(os.environ)
        self._mapping = self._held.mapping()

    def see(self, kill: Kill) -> Seen:
        """Kill and watch."""
        peers = [os.pidfd_open(pid) for pid in (kill.victim, *kill.also, *kill.others)]
        if kill.freeze:
            os.kill(kill.victim, signal.SIGSTOP)
        mapped = kill.key_map and self._held.mapping() != self._mapping
        held = len(self._held.down())
        began = time.monotonic()
        if kill.freeze:
            self._held.tap(ESCAPE)
        else:
            self._kill_at_once((kill.victim, *kill.also))
        if kill.next_start:
            self._start_something(peers)
            began = time.monotonic()
        down, released, restored, ended, over = ["?"], began, began, False, began
        while (now := time.monotonic()) - over < CALM_SECONDS and now - began < LIMIT_SECONDS:
            select.select([], [], [], POLL_SECONDS)
            before, down = down, self._held.down()
            if before and not down:
                released = time.monotonic()
            if not ended or down:
                over = time.monotonic()
                ended = _all_ended(peers)
            if mapped and self._held.mapping() != self._mapping:
                restored = over = time.monotonic()
        for peer in peers:
            os.close(peer)
        return Seen(
            held,
            None if down else (released - began) * 1000,
            tuple(down),
            mapped,
            None if self._held.mapping() != self._mapping else (restored - began) * 1000,
            ended,
        )

    def _kill_at_once(self, pids: Sequence[int]) -> None:
        """Several are stopped first, or the last to be killed would let go for the first."""
        for pid in pids if len(pids) > 1 else ():
            os.kill(pid, signal.SIGSTOP)
        for pid in pids:
            os.kill(pid, signal.SIGKILL)

    def _start_something(self, peers: Sequence[int]) -> None:
        while not _all_ended(peers):
            select.select([], [], [], POLL_SECONDS)
        subprocess.run([sys.executable, "-c", NEXT_START], check=True)


def _all_ended(peers: Sequence[int]) -> bool:
    poll = select.poll()
    for peer in peers:
        poll.register(peer, select.POLLIN)
    return len(poll.poll(0)) == len(peers)


def main() -> int:
    """Serve until standard input ends."""
    with contextlib.suppress(OSError):
        os.nice(-10)  # a clock should not be late on a busy machine
    witness = Witness()
    for line in sys.stdin.buffer:
        print(msgspec.json.encode(witness.see(msgspec.json.decode(line, type=Kill))).decode(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
