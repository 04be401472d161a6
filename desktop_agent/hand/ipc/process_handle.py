"""Another process, held fast: to wait for its end and to end it, never mistaking it for a later one."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable

if sys.platform == "win32":
    import ctypes

    _SYNCHRONIZE_AND_TERMINATE = 0x0010_0001
    _INFINITE = 0xFFFF_FFFF

    class Peer:
        """A process by its id; one that is gone already is just gone."""

        def __init__(self, pid: int) -> None:
            self._kernel = ctypes.WinDLL("kernel32")
            self._kernel.OpenProcess.restype = ctypes.c_void_p
            self._handle = self._kernel.OpenProcess(_SYNCHRONIZE_AND_TERMINATE, False, pid)

        def wait(self, seconds: float | None = None) -> bool:
            """True once the process is gone; waits so many seconds for it, or for ever."""
            milliseconds = _INFINITE if seconds is None else int(seconds * 1000)
            handle = ctypes.c_void_p(self._handle)
            return not self._handle or self._kernel.WaitForSingleObject(handle, milliseconds) == 0

        def kill(self) -> None:
            """End it at once."""
            if self._handle:
                self._kernel.TerminateProcess(ctypes.c_void_p(self._handle), 1)

else:
    import select

    class Peer:
        """A process by its id; one that is gone already is just gone."""

        def __init__(self, pid: int) -> None:
            try:
                self._fd: int | None = os.pidfd_open(pid)
            except ProcessLookupError:
                self._fd = None

        def wait(self, seconds: float | None = None) -> bool:
            """True once the process is gone (a zombie is); waits so many seconds for it, or for ever."""
            if self._fd is None:
                return True
            poll = select.poll()
            poll.register(self._fd, select.POLLIN)
            return bool(poll.poll(None if seconds is None else seconds * 1000))

        def kill(self) -> None:
            """End it at once."""
            if self._fd is not None and not self.wait(0):
                signal.pidfd_send_signal(self._fd, signal.SIGKILL)


def when_gone(peer: Peer, tell: Callable[[], None]) -> None:
    """Call `tell` from a thread of its own once the process is gone."""

    def watch() -> None:
        peer.wait()
        tell()

    threading.Thread(target=watch, name="peer", daemon=True).start()
