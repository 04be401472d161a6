"""How long the desktop stands still: the longest round trip of an ordinary client, in a process of its own.

Each line on standard input asks for the longest one since the line before; it is answered in milliseconds.
"""

from __future__ import annotations

import contextlib
import os
import select
import sys
import time

from desktop_agent.platforms.x11.connection import Display

PAUSE_SECONDS = 0.0005


def main() -> int:
    """Ask the server again and again until standard input ends."""
    with contextlib.suppress(OSError):
        os.nice(-10)  # a clock should not be late on a busy machine
    display = Display(os.environ)
    longest = 0.0
    while True:
        began = time.monotonic()
        display.sync()
        longest = max(longest, time.monotonic() - began)
        if select.select([0], [], [], PAUSE_SECONDS)[0]:
            if not sys.stdin.buffer.readline():
                return 0
            print(f"{longest * 1000:.3f}", flush=True)
            longest = 0.0


if __name__ == "__main__":
    sys.exit(main())
