"""The system this process runs on: its desktop, other processes, scheduling, pipes, and files in use.

Here it is chosen which system's part carries out what targets and hand ask for.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from typing import IO, TYPE_CHECKING

from desktop_agent.platforms.base import DesktopModule
from desktop_agent.protocol.errors import TargetError
from desktop_agent.support.operating_system import WINDOWS as WINDOWS

if TYPE_CHECKING:
    from desktop_agent.platforms.posix.life_lock import LifeLock

if sys.platform == "win32":
    from desktop_agent.platforms.windows import host_process as _system
else:
    from desktop_agent.platforms.posix import host_process as _system

NAME: str = sys.platform
"""The system, as Python calls it, for messages."""

HAS_X11: bool = sys.platform not in ("win32", "darwin")
"""Can there be X displays here, whose parts are those of `platforms.x11`?"""


def has_desktop() -> bool:
    """Has this process a desktop whose user can press ESC?"""
    return WINDOWS or (HAS_X11 and bool(os.environ.get("DISPLAY")))


def desktop() -> DesktopModule:
    """The parts of this system's desktop for hand and guard. Raises TargetError where it cannot be worked."""
    if WINDOWS:
        from desktop_agent.platforms.windows import desktop as windows_desktop

        return windows_desktop
    if not HAS_X11:
        raise TargetError(f"Working the desktop of {NAME} is not possible yet.", "Run it on Linux with X11.")
    from desktop_agent.platforms.x11 import desktop as x11_desktop

    return x11_desktop


Peer = _system.Peer
"""Another process by its id: to wait for its end (`wait`), to end it (`kill`), and whether it is `frozen`; never mistaking it for a later one."""

CHILD_FLAGS: int = _system.CHILD_FLAGS
"""Creation flags of a process that has no console and does not get our Ctrl-C."""

give_memory_back = _system.give_memory_back
"""Return freed memory to the system, and drop what is only kept to be quick."""

kill_group = _system.kill_group
"""End a child that was started with `start_new_session` and `CHILD_FLAGS`, and its children, at once.

`kill_group(pid)`, before it was waited for, so that the id is still its own. On Windows it alone is ended.
"""

start_apart = _system.start_apart
"""Have work done by a process that goes on when this one, those that started it, or their groups are ended.

`start_apart(command, work)`: `command` is the argv of a process that does `work()`, for systems where no copy of
this process can. It gets none of our pipes. Raises OSError.
"""

keep_in_use = _system.keep_in_use
"""Show that this process uses a file (a descriptor): `abandoned` finds it once no such process is left.

Returns a descriptor to keep open as long as that is so, None where there is none to keep. Raises OSError.
"""

abandoned = _system.abandoned
"""A context with the content of a file that nobody uses any more, None when somebody does or it is being dealt with.

Nobody else finds it within. Raises OSError.
"""

LIFE_LOCK_SIZE = 64
"""Bytes of shared memory for a lock by which the others learn of a process's death at once; see `life_lock`."""


def life_lock(memory: memoryview) -> LifeLock | None:
    """The lock in that memory; None where there is none: a process's end is told by its pipes and its id all the same."""
    if sys.platform == "win32":
        return None
    try:
        from desktop_agent.platforms.posix.life_lock import LifeLock

        return LifeLock(memory)
    except OSError:
        return None


def lock_file(file: IO[bytes]) -> bool:
    """Lock a file until it is closed or this process ends; False when another process has it."""
    if sys.platform == "win32":
        from desktop_agent.platforms.windows.instance_lock import lock
    else:
        from desktop_agent.platforms.posix.instance_lock import lock
    return lock(file)


ours_alone = _system.ours_alone
"""Is this a folder of this user's that no other user can change? Raises OSError."""

FILE_IN_USE_SECONDS: float = _system.FILE_IN_USE_SECONDS
"""For how long a file may refuse to be replaced or read because somebody else has it open."""

schedule_guard = _system.schedule_guard
"""Have the guard's process served before others, and ended with the session after all of ours."""

schedule_hand = _system.schedule_hand
"""Have the hand's process ended with the session after the brain and before the guard."""

never_wait = _system.never_wait
"""From now on writing to this descriptor of a pipe takes as much as there is room for. Raises OSError."""


def when_gone(peer: Peer, tell: Callable[[], None]) -> None:
    """Call `tell` from a thread of its own once the process is gone."""

    def watch() -> None:
        peer.wait()
        tell()

    threading.Thread(target=watch, name="peer", daemon=True).start()
