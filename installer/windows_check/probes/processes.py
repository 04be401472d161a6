"""Who runs, ending a process, and where Windows keeps things."""

from __future__ import annotations

import ctypes
import functools
import uuid
from ctypes import wintypes
from pathlib import PureWindowsPath
from typing import Any

_TERMINATE, _ASK, _WAIT = 0x0001, 0x1000, 0x0010_0000
_ENDED = 0
_MOST, _LONGEST = 4096, 1024
_FOLDERS = {
    "roaming": "3EB685DB-65F9-4CF6-A03A-E3EF65729F3D",
    "local": "F1B32785-6FBA-4FCF-9D55-7B8E7F157091",
}


@functools.cache
def _kernel() -> Any:
    windows: Any = ctypes  # WinDLL is there on Windows only
    library: Any = windows.WinDLL("kernel32", use_last_error=True)
    library.OpenProcess.restype = wintypes.HANDLE
    library.QueryFullProcessImageNameW.argtypes = [
        wintypes.HANDLE, wintypes.DWORD, wintypes.LPWSTR, ctypes.POINTER(wintypes.DWORD),
    ]  # fmt: skip
    library.CloseHandle.argtypes = [wintypes.HANDLE]
    library.TerminateProcess.argtypes = library.WaitForSingleObject.argtypes = [
        wintypes.HANDLE,
        wintypes.UINT,
    ]
    return library


def running() -> list[dict[str, Any]]:
    """Every process that may be looked at: its number and its program's name."""
    numbers, used = (wintypes.DWORD * _MOST)(), wintypes.DWORD()
    _kernel().K32EnumProcesses(numbers, ctypes.sizeof(numbers), ctypes.byref(used))
    count = used.value // ctypes.sizeof(wintypes.DWORD)
    return [{"pid": pid, "name": name} for pid in numbers[:count] if (name := _program(pid))]


def _program(pid: int) -> str:
    """File name of a process's program, "" when it is gone or no business of ours."""
    process = _kernel().OpenProcess(_ASK, False, pid)
    if not process:
        return ""
    path, size = ctypes.create_unicode_buffer(_LONGEST), wintypes.DWORD(_LONGEST)
    _kernel().QueryFullProcessImageNameW(process, 0, path, ctypes.byref(size))
    _kernel().CloseHandle(process)
    return PureWindowsPath(path.value).name


def watched(pid: int) -> int:
    """A handle by which the end of a process is known, whoever gets its number next."""
    return int(_kernel().OpenProcess(_WAIT, False, pid) or 0)


def over(handle: int) -> bool:
    """Has the process of a handle ended (or never been there)?"""
    return not handle or _kernel().WaitForSingleObject(handle, 0) == _ENDED


def let_go(handle: int) -> None:
    """The handle is needed no more."""
    if handle:
        _kernel().CloseHandle(handle)


def kill(pid: int) -> None:
    """End a process at once (TerminateProcess)."""
    process = _kernel().OpenProcess(_TERMINATE, False, pid)
    if not process:
        raise OSError(f"there is no process {pid}")
    _kernel().TerminateProcess(process, 1)
    _kernel().CloseHandle(process)


def known_folder(name: str) -> str:
    """Where Windows keeps the "roaming" or the "local" data of programs (SHGetKnownFolderPath)."""
    shell: Any = ctypes.WinDLL("shell32")  # type: ignore[attr-defined,unused-ignore]
    path = ctypes.c_wchar_p()
    folder = (ctypes.c_byte * 16).from_buffer_copy(uuid.UUID(_FOLDERS[name]).bytes_le)
    shell.SHGetKnownFolderPath(ctypes.byref(folder), 0, None, ctypes.byref(path))
    return path.value or ""
