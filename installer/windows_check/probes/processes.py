"""Who runs, ending a process, and where Windows keeps things."""

from __future__ import annotations

import ctypes
import os
import uuid
from ctypes import wintypes
from typing import Any

_ALL_PROCESSES, _TERMINATE = 0x2, 0x1
_FOLDERS = {
    "roaming": "3EB685DB-65F9-4CF6-A03A-E3EF65729F3D",
    "local": "F1B32785-6FBA-4FCF-9D55-7B8E7F157091",
}


class _Entry(ctypes.Structure):
    _fields_ = (
        ("size", wintypes.DWORD),
        ("usage", wintypes.DWORD),
        ("pid", wintypes.DWORD),
        ("heap", ctypes.c_size_t),
        ("module", wintypes.DWORD),
        ("threads", wintypes.DWORD),
        ("parent", wintypes.DWORD),
        ("priority", wintypes.LONG),
        ("flags", wintypes.DWORD),
        ("name", wintypes.WCHAR * 260),
    )


def _kernel() -> Any:
    library: Any = ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined,unused-ignore]
    library.CreateToolhelp32Snapshot.restype = library.OpenProcess.restype = wintypes.HANDLE
    for name in ("Process32FirstW", "Process32NextW"):
        getattr(library, name).argtypes = [wintypes.HANDLE, ctypes.POINTER(_Entry)]
    library.CloseHandle.argtypes = [wintypes.HANDLE]
    library.TerminateProcess.argtypes = [wintypes.HANDLE, wintypes.UINT]
    return library


KERNEL = _kernel()


def me() -> int:
    """This process."""
    return os.getpid()


def running() -> list[dict[str, Any]]:
    """Every process: its number, its parent's and its program's name."""
    snapshot = KERNEL.CreateToolhelp32Snapshot(_ALL_PROCESSES, 0)
    entry = _Entry(size=ctypes.sizeof(_Entry))
    found = []
    more = KERNEL.Process32FirstW(snapshot, ctypes.byref(entry))
    while more:
        found.append({"pid": entry.pid, "parent": entry.parent, "name": entry.name})
        more = KERNEL.Process32NextW(snapshot, ctypes.byref(entry))
    KERNEL.CloseHandle(snapshot)
    return found


def kill(pid: int) -> None:
    """End a process at once (TerminateProcess)."""
    process = KERNEL.OpenProcess(_TERMINATE, False, pid)
    if not process:
        raise OSError(f"there is no process {pid}")
    KERNEL.TerminateProcess(wintypes.HANDLE(process), 1)
    KERNEL.CloseHandle(wintypes.HANDLE(process))


def known_folder(name: str) -> str:
    """Where Windows keeps the "roaming" or the "local" data of programs (SHGetKnownFolderPath)."""
    shell: Any = ctypes.WinDLL("shell32")  # type: ignore[attr-defined,unused-ignore]
    path = ctypes.c_wchar_p()
    folder = (ctypes.c_byte * 16).from_buffer_copy(uuid.UUID(_FOLDERS[name]).bytes_le)
    shell.SHGetKnownFolderPath(ctypes.byref(folder), 0, None, ctypes.byref(path))
    return path.value or ""
