"""Tells other processes of this one's death at once, by a robust mutex in memory that they share.

The ends of a process's pipes and its pidfd tell only after all its memory is gone, which takes long for a large
process on a busy machine (up to 1.5 s was measured). The kernel marks a robust mutex (pthread_mutexattr_setrobust(3),
get_robust_list(2)) as soon as the thread that holds it dies, and wakes who waits for it.
"""

from __future__ import annotations

import ctypes

SIZE = 64
"""Bytes of memory that a lock needs: a pthread_mutex_t has 40 or 48."""
_PROCESS_SHARED = _ROBUST = 1
_OWNER_DIED, _UNRECOVERABLE = 130, 131  # errno.EOWNERDEAD and ENOTRECOVERABLE of Linux


class LifeLock:
    """A lock in `memory`, a writable buffer of SIZE bytes shared between processes. Raises OSError where there is none."""

    def __init__(self, memory: memoryview) -> None:
        self._room = (ctypes.c_char * SIZE).from_buffer(memory)
        self._mutex = ctypes.byref(self._room)
        try:
            self._library = ctypes.CDLL(None)
            self._lock = self._library.pthread_mutex_lock
            self._robust = self._library.pthread_mutexattr_setrobust
        except AttributeError as error:  # macOS
            raise OSError("no robust mutexes here") from error

    def hold(self) -> None:
        """Make the lock and take it, for as long as the calling thread lives or until `let_go`. Raises OSError."""
        attributes = ctypes.byref((ctypes.c_char * SIZE)())
        library = self._library
        _check(library.pthread_mutexattr_init(attributes))
        _check(library.pthread_mutexattr_setpshared(attributes, _PROCESS_SHARED))
        _check(self._robust(attributes, _ROBUST))
        _check(library.pthread_mutex_init(self._mutex, attributes))
        _check(self._lock(self._mutex))

    def let_go(self) -> None:
        """In the thread that holds it."""
        self._library.pthread_mutex_unlock(self._mutex)

    def await_death(self) -> None:
        """Return once its holder has died or let go. For several threads of several processes."""
        code = self._lock(self._mutex)
        if code in (0, _OWNER_DIED):
            self.let_go()  # without pthread_mutex_consistent: whoever else waits is told, too
        elif code != _UNRECOVERABLE:
            raise OSError(code, "waiting for a robust mutex")


def _check(code: int) -> None:
    if code:
        raise OSError(code, "making a robust mutex")
