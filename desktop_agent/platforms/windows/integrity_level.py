"""Compares integrity levels of processes: Windows silently drops input into a higher one (UIPI)."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import wintypes
from functools import cache
from pathlib import PureWindowsPath
from typing import Any

from desktop_agent.platforms.windows.user32 import User32

_QUERY_LIMITED, _TOKEN_QUERY, _INTEGRITY_LEVEL = 0x1000, 0x0008, 25
_LONGEST = 32_768


class _Label(ctypes.Structure):
    """TOKEN_MANDATORY_LABEL with room for the SID that it points to."""

    _fields_ = (("sid", ctypes.c_void_p), ("attributes", wintypes.DWORD), ("room", ctypes.c_byte * 128))


def program_of(pid: int) -> str:
    """File name of a process's program; "" when unknown."""
    with _process(pid) as handle:
        if not handle:
            return ""
        buffer, size = ctypes.create_unicode_buffer(_LONGEST), wintypes.DWORD(_LONGEST)
        told = _dll("kernel32").QueryFullProcessImageNameW(handle, 0, buffer, ctypes.byref(size))
        return PureWindowsPath(buffer.value).name if told else ""


def has_more_rights(pid: int) -> bool:
    """True when the process has a higher integrity level than ours, or an unknown one (another user's process)."""
    own, other = integrity(os.getpid()), integrity(pid)
    return other is None or (own is not None and other > own)


def foreground_has_more_rights(user32: User32, above: Callable[[int], bool] = has_more_rights) -> bool:
    """True when the foreground window's process has more rights than ours, so that Windows drops our input."""
    pid = user32.owner(user32.foreground())
    return pid != 0 and above(pid)


def integrity(pid: int) -> int | None:
    """A process's integrity level (0x2000 medium, 0x3000 high, 0x4000 system); None when unknown."""
    with _process(pid) as handle:
        token = wintypes.HANDLE()
        advapi = _dll("advapi32")
        if not handle or not advapi.OpenProcessToken(handle, _TOKEN_QUERY, ctypes.byref(token)):
            return None
        try:
            return _level(advapi, token)
        finally:
            _dll("kernel32").CloseHandle(token)


def _level(advapi: Any, token: wintypes.HANDLE) -> int | None:
    label, size = _Label(), wintypes.DWORD()
    asked = (token, _INTEGRITY_LEVEL, ctypes.byref(label), ctypes.sizeof(label), ctypes.byref(size))
    if not advapi.GetTokenInformation(*asked):
        return None
    sid = ctypes.c_void_p(label.sid)
    advapi.GetSidSubAuthorityCount.restype = ctypes.POINTER(ctypes.c_ubyte)
    advapi.GetSidSubAuthority.restype = ctypes.POINTER(wintypes.DWORD)
    last = advapi.GetSidSubAuthorityCount(sid)[0] - 1
    return int(advapi.GetSidSubAuthority(sid, last)[0])


@contextmanager
def _process(pid: int) -> Iterator[wintypes.HANDLE | None]:
    kernel = _dll("kernel32")
    kernel.OpenProcess.restype = ctypes.c_void_p
    found = kernel.OpenProcess(_QUERY_LIMITED, False, pid)
    handle = wintypes.HANDLE(found) if found else None
    try:
        yield handle
    finally:
        if handle:
            kernel.CloseHandle(handle)


@cache
def _dll(name: str) -> Any:
    windows: Any = ctypes  # WinDLL is there on Windows only
    return windows.WinDLL(name)
