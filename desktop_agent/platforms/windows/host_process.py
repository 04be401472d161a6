"""Processes, pipes and files of Windows, as `platforms.host` offers them, and the order in which it ends ours at log-off."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import linecache
import subprocess
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from ctypes import wintypes
from functools import cache
from pathlib import Path
from typing import Any

from desktop_agent.support.child_command import WITHOUT_CONSOLE

CHILD_FLAGS = WITHOUT_CONSOLE | 0x0200  # CREATE_NEW_PROCESS_GROUP
FILE_IN_USE_SECONDS = 1.0
"""Windows refuses to replace a file while it is read (by a virus scanner, say), and to read one while it is replaced."""

_SYNCHRONIZE_AND_TERMINATE = 0x0010_0001
_INFINITE = 0xFFFF_FFFF


HAND, GUARD = 0x200, 0x180
"""Shutdown levels (SetProcessShutdownParameters): after all usual programs (0x280), the brain among them, guard last."""
_NO_RETRY = 1
_PIPE_NOWAIT = 0x1


MILLISECONDS = 1
_POWER_THROTTLING, _VERSION = 4, 1  # ProcessPowerThrottling, PROCESS_POWER_THROTTLING_CURRENT_VERSION
_SPEED, _IGNORE_TIMER = 0x1, 0x4
_FIRST = 0x80  # HIGH_PRIORITY_CLASS


class Peer:
    """A process by its id, held by a handle so that it is never taken for a later one; one that is gone is just gone."""

    def __init__(self, pid: int) -> None:
        self._handle = _kernel().OpenProcess(_SYNCHRONIZE_AND_TERMINATE, False, pid)
        if self._handle:
            weakref.finalize(self, _kernel().CloseHandle, ctypes.c_void_p(self._handle)).atexit = False

    def wait(self, seconds: float | None = None) -> bool:
        """True once the process is gone; waits so many seconds for it, or for ever."""
        milliseconds = _INFINITE if seconds is None else int(seconds * 1000)
        handle = ctypes.c_void_p(self._handle)
        return not self._handle or _kernel().WaitForSingleObject(handle, milliseconds) == 0

    def frozen(self) -> bool:
        """Always False: nothing that a process of ours does there makes others wait for it."""
        return False

    def killed(self) -> bool:
        """True once it is gone: the system ends a process in one go."""
        return self.wait(0)

    def kill(self) -> None:
        """End it at once."""
        if self._handle:
            _kernel().TerminateProcess(ctypes.c_void_p(self._handle), 1)


@cache
def _kernel() -> Any:
    windows: Any = ctypes  # WinDLL is there on Windows only
    kernel = windows.WinDLL("kernel32", use_last_error=True)
    kernel.OpenProcess.restype = ctypes.c_void_p
    kernel.SetNamedPipeHandleState.argtypes = [
        wintypes.HANDLE, ctypes.POINTER(wintypes.DWORD), ctypes.c_void_p, ctypes.c_void_p,
    ]  # fmt: skip
    return kernel


def give_memory_back() -> None:
    """See `platforms.host`: Windows takes by itself what is not used."""
    linecache.clearcache()
    gc.collect()


def kill_group(pid: int) -> None:
    """See `platforms.host`."""
    Peer(pid).kill()


def schedule_guard() -> None:
    """See `platforms.host`."""
    take_precedence()
    end_late(GUARD)


def schedule_hand() -> None:
    """See `platforms.host`."""
    end_late(HAND)


def never_wait(pipe: int) -> None:
    """See `platforms.host`: SetNamedPipeHandleState (namedpipeapi.h)."""
    import msvcrt  # exists on Windows only, as WinDLL does

    runtime: Any = msvcrt
    mode = wintypes.DWORD(_PIPE_NOWAIT)
    if not _kernel().SetNamedPipeHandleState(runtime.get_osfhandle(pipe), ctypes.byref(mode), None, None):
        windows: Any = ctypes
        raise windows.WinError(windows.get_last_error())


def start_apart(command: Sequence[str], work: Callable[[], object]) -> None:
    """See `platforms.host`: a process of its own does what `command` says. `work` is not needed."""
    del work
    nothing = subprocess.DEVNULL
    subprocess.Popen(
        command, stdin=nothing, stdout=nothing, stderr=nothing, creationflags=CHILD_FLAGS, close_fds=True
    )


def keep_in_use(file: int) -> None:
    """See `platforms.host`: nothing to do, as a file that is mapped cannot be removed."""
    del file


@contextmanager
def abandoned(path: Path) -> Iterator[bytes | None]:
    """See `platforms.host`: it can be removed, so it is, and nobody else finds it."""
    content: bytes | None = path.read_bytes()
    with contextlib.suppress(PermissionError):
        path.unlink()
        yield content
        return
    yield None


def ours_alone(folder: Path) -> bool:
    """See `platforms.host`: the folder for temporary files is in the user's own profile."""
    return folder.is_dir() and not folder.is_symlink()


def end_late(level: int) -> None:
    """Set this process's shutdown level; Windows ends processes of higher levels first."""
    windows: Any = ctypes  # WinDLL is there on Windows only
    windows.WinDLL("kernel32").SetProcessShutdownParameters(level, _NO_RETRY)


class _Throttling(ctypes.Structure):
    """PROCESS_POWER_THROTTLING_STATE."""

    _fields_ = (("version", wintypes.ULONG), ("control", wintypes.ULONG), ("state", wintypes.ULONG))


def wait_finely() -> None:
    """Set a timer resolution of one millisecond for the life of this process (timeBeginPeriod, timeapi.h).

    By default Windows rounds waits up to 15.6 ms, and guard and hand poll every few milliseconds. Since Windows 10
    2004 this costs other processes nothing. Windows 11 ignores it for processes without a visible window unless
    they opt out of that (SetProcessInformation, processthreadsapi.h); older versions do not know the option.
    """
    windows: Any = ctypes  # WinDLL is there on Windows only
    kernel = windows.WinDLL("kernel32")
    wanted = _Throttling(_VERSION, _SPEED | _IGNORE_TIMER, 0)
    if not _set(kernel, wanted):
        _set(kernel, _Throttling(_VERSION, _SPEED, 0))
    windows.WinDLL("winmm").timeBeginPeriod(MILLISECONDS)


def _set(kernel: Any, wanted: _Throttling) -> bool:
    process = wintypes.HANDLE(-1)  # GetCurrentProcess
    asked = (process, _POWER_THROTTLING, ctypes.byref(wanted), ctypes.sizeof(wanted))
    return bool(kernel.SetProcessInformation(*asked))


def take_precedence() -> None:
    """Raise this process to high priority: Windows removes a hook that answers late, and every key waits for it."""
    windows: Any = ctypes
    windows.WinDLL("kernel32").SetPriorityClass(wintypes.HANDLE(-1), _FIRST)
