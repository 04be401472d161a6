"""The console of the process that started this one, and message boxes, for a program that has no console.

Source: AttachConsole and GetConsoleMode (consoleapi.h), Toolhelp32 (tlhelp32.h), MessageBoxW (winuser.h).
"""

from __future__ import annotations

import ctypes
from ctypes import wintypes
from typing import Any, TextIO

_ICON_ERROR, _ICON_INFORMATION, _IN_FRONT = 0x10, 0x40, 0x0001_0000
_YES_NO, _ICON_QUESTION, _NO_IS_USUAL, _YES = 0x4, 0x20, 0x100, 6
_PROCESSES = 2


class _Process(ctypes.Structure):
    _fields_ = (
        ("dwSize", wintypes.DWORD),
        ("cntUsage", wintypes.DWORD),
        ("th32ProcessID", wintypes.DWORD),
        ("th32DefaultHeapID", ctypes.c_size_t),
        ("th32ModuleID", wintypes.DWORD),
        ("cntThreads", wintypes.DWORD),
        ("th32ParentProcessID", wintypes.DWORD),
        ("pcPriClassBase", wintypes.LONG),
        ("dwFlags", wintypes.DWORD),
        ("szExeFile", wintypes.WCHAR * 260),
    )


def attach(process: int) -> TextIO | None:
    """Attach to the console of a process and open it for writing; None when it has none."""
    if not process or not _library("kernel32").AttachConsole(wintypes.DWORD(process)):
        return None
    # The prompt is back already: the shell does not wait for a program without a console.
    console = open("CONOUT$", "w", encoding="utf-8", errors="replace", buffering=1)  # noqa: SIM115, PTH123
    console.write("\n")
    return console


def parent_of(process: int) -> int:
    """The id of the process that started another; 0 when it is not known."""
    kernel = _library("kernel32")
    kernel.CreateToolhelp32Snapshot.restype = wintypes.HANDLE
    snapshot = wintypes.HANDLE(kernel.CreateToolhelp32Snapshot(_PROCESSES, 0))
    entry, found = _Process(dwSize=ctypes.sizeof(_Process)), 0
    more = kernel.Process32FirstW(snapshot, ctypes.byref(entry))
    while more and not found:
        found = entry.th32ParentProcessID if entry.th32ProcessID == process else 0
        more = kernel.Process32NextW(snapshot, ctypes.byref(entry))
    kernel.CloseHandle(snapshot)
    return found


def is_console(stream: TextIO) -> bool:
    """Is it a console rather than the device NUL, which isatty() takes for one?"""
    import msvcrt  # is there on Windows only, as WinDLL is

    runtime: Any = msvcrt
    handle, mode = runtime.get_osfhandle(stream.fileno()), wintypes.DWORD()
    return bool(_library("kernel32").GetConsoleMode(wintypes.HANDLE(handle), ctypes.byref(mode)))


def ask(question: str, title: str) -> bool:
    """Ask a yes-or-no question in a message box; closing it means no."""
    style = _YES_NO | _ICON_QUESTION | _NO_IS_USUAL | _IN_FRONT
    return bool(_library("user32").MessageBoxW(None, question, title, style) == _YES)


def show(text: str, title: str, *, is_error: bool) -> None:
    """Show a text in a message box until it is closed."""
    icon = _ICON_ERROR if is_error else _ICON_INFORMATION
    _library("user32").MessageBoxW(None, text, title, icon | _IN_FRONT)


def _library(name: str) -> Any:
    windows: Any = ctypes
    return windows.WinDLL(name)
