"""Typed wrappers of the Windows clipboard functions (user32.dll, kernel32.dll), one method per call."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from ctypes import wintypes
from typing import Any

UPDATED = 0x031D  # WM_CLIPBOARDUPDATE
_ONLY_MESSAGES = -3  # HWND_MESSAGE
_REMOVE, _MOVABLE, _POSTED_OR_SENT = 0x1, 0x2, 0x48
_NAME_LENGTH = 256


class ClipboardCalls:
    """The clipboard functions. None waits for another program except `data`, which may have the owner render a format."""

    def __init__(self) -> None:
        windows: Any = ctypes  # WinDLL is there on Windows only
        self._user32: Any = windows.WinDLL("user32", use_last_error=True)
        self._kernel: Any = windows.WinDLL("kernel32", use_last_error=True)
        _declare(self._user32, self._kernel)

    # ---- a window of ours --------------------------------------------------------------------

    def new_window(self) -> int:
        """Create a message-only window of this thread; 0 on failure."""
        made = self._user32.CreateWindowExW(
            0, "STATIC", None, 0, 0, 0, 0, 0, _ONLY_MESSAGES, None, None, None
        )
        return int(made or 0)

    def end_window(self, window: int) -> None:
        """Destroy a window of this thread."""
        self._user32.DestroyWindow(window)

    def listen(self, window: int) -> bool:
        """Subscribe a window to clipboard changes; False when Windows refuses."""
        return bool(self._user32.AddClipboardFormatListener(window))

    def changed_at(self, window: int) -> int | None:
        """Take the next change message; its time in milliseconds since Windows started, None when there is none."""
        message = wintypes.MSG()
        if not self._user32.PeekMessageW(ctypes.byref(message), window, UPDATED, UPDATED, _REMOVE):
            return None
        # A message has only the low 32 bits of the time that GetTickCount64 gives in full.
        now: int = self._kernel.GetTickCount64()
        return now - ((now - message.time) & 0xFFFFFFFF)

    def wait(self, seconds: float) -> None:
        """Wait for a message to a window of this thread, at most so many seconds."""
        self._user32.MsgWaitForMultipleObjects(0, None, False, max(0, int(seconds * 1000)), _POSTED_OR_SENT)

    # ---- the clipboard -----------------------------------------------------------------------

    def owner(self) -> int:
        """The window that owns the clipboard; 0 when it is gone."""
        return int(self._user32.GetClipboardOwner() or 0)

    def open(self, window: int) -> bool:
        """Open the clipboard for this window, until `close`; False while another program has it open."""
        return bool(self._user32.OpenClipboard(window))

    def close(self) -> None:
        self._user32.CloseClipboard()

    def empty(self) -> bool:
        """Empty the opened clipboard and become its owner; False when Windows refuses."""
        return bool(self._user32.EmptyClipboard())

    def formats(self) -> Iterator[int]:
        """Numbers of the formats on the clipboard, in the order they were put there, then the synthesised ones."""
        number = 0
        while number := self._user32.EnumClipboardFormats(number):
            yield int(number)

    def name(self, number: int) -> str:
        """The name of a registered format; "" for a standard one."""
        name = ctypes.create_unicode_buffer(_NAME_LENGTH)
        return name.value if self._user32.GetClipboardFormatNameW(number, name, _NAME_LENGTH) else ""

    def number(self, name: str) -> int:
        """The number of a registered format, registering it if need be; 0 when Windows has no room for more."""
        return int(self._user32.RegisterClipboardFormatW(name))

    def data(self, number: int) -> int:
        """The memory handle of one format, owned by the clipboard; 0 when it cannot be had."""
        return int(self._user32.GetClipboardData(number) or 0)

    def put(self, number: int, memory: int) -> bool:
        """Put memory on the clipboard, which owns it from then on; False when Windows refuses."""
        return bool(self._user32.SetClipboardData(number, memory))

    # ---- memory ------------------------------------------------------------------------------

    def size(self, memory: int) -> int:
        """The size of global memory in bytes; 0 for an invalid handle."""
        return int(self._kernel.GlobalSize(memory))

    def read(self, memory: int) -> bytes | None:
        """The content of global memory; None when it cannot be read."""
        address = self._kernel.GlobalLock(memory)
        if not address:
            return None
        try:
            return ctypes.string_at(address, self.size(memory))
        finally:
            self._kernel.GlobalUnlock(memory)

    def new(self, data: bytes) -> int:
        """Allocate global memory with a copy of the data; 0 on failure."""
        memory = self._kernel.GlobalAlloc(_MOVABLE, len(data))
        if not memory:
            return 0
        ctypes.memmove(self._kernel.GlobalLock(memory), data, len(data))
        self._kernel.GlobalUnlock(memory)
        return int(memory)

    def free(self, memory: int) -> None:
        """Free global memory that the clipboard does not own."""
        self._kernel.GlobalFree(memory)


def _declare(user32: Any, kernel: Any) -> None:
    """Declare argument and result types: ctypes would cut handles, which are as wide as pointers, to 32 bits."""
    handle, number = wintypes.HANDLE, wintypes.UINT
    for name in ("CreateWindowExW", "GetClipboardOwner", "GetClipboardData", "SetClipboardData"):
        getattr(user32, name).restype = handle
    user32.CreateWindowExW.argtypes = [
        wintypes.DWORD, wintypes.LPCWSTR, wintypes.LPCWSTR, wintypes.DWORD, ctypes.c_int, ctypes.c_int,
        ctypes.c_int, ctypes.c_int, handle, handle, handle, ctypes.c_void_p,
    ]  # fmt: skip
    for name in ("DestroyWindow", "AddClipboardFormatListener", "OpenClipboard"):
        getattr(user32, name).argtypes = [handle]
    user32.PeekMessageW.argtypes = [ctypes.POINTER(wintypes.MSG), handle, number, number, number]
    user32.SetClipboardData.argtypes = [number, handle]
    user32.RegisterClipboardFormatW.argtypes = [wintypes.LPCWSTR]
    kernel.GetTickCount64.restype = ctypes.c_uint64
    kernel.GlobalAlloc.argtypes, kernel.GlobalAlloc.restype = [number, ctypes.c_size_t], handle
    kernel.GlobalSize.restype, kernel.GlobalLock.restype = ctypes.c_size_t, ctypes.c_void_p
    for name in ("GlobalSize", "GlobalLock", "GlobalUnlock", "GlobalFree"):
        getattr(kernel, name).argtypes = [handle]
