"""Shows hints over the Windows desktop, in layered windows that no click reaches and no capture shows.

Source: UpdateLayeredWindow, SetWindowDisplayAffinity (winuser.h), CreateDIBSection (wingdi.h). A window is excluded from
capture before it is shown for the first time; where Windows refuses that there are no hints.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Mapping
from ctypes import wintypes
from typing import Any

from desktop_agent.platforms.base import HintPicture, HintSurface
from desktop_agent.platforms.windows.capture_exclusion import DisplayAffinity

REFUSED = "This version of Windows cannot keep hints out of the agent's pictures."
_CLICK_THROUGH = 0x0008_0000 | 0x20  # layered and transparent
_STYLE = _CLICK_THROUGH | 0x8 | 0x80 | 0x0800_0000  # topmost, tool window, never active
_POPUP, _SHOW_QUIETLY, _QUIT, _NEWS = 0x8000_0000, 4, 0x12, 0x8001
_PREMULTIPLIED, _BY_ALPHA, _COLORS, _NO_WAIT = 1, 2, 0, 0
_GET_ANIMATION = 0x1042  # SPI_GETCLIENTAREAANIMATION
_START_SECONDS = 5.0


class WindowsHintSurface(HintSurface):
    """One window a picture, on a thread of its own: windows must be worked where they were made, and answer messages."""

    def __init__(self) -> None:
        windows: Any = ctypes  # WinDLL is there on Windows only
        self._user32, self._gdi = windows.WinDLL("user32"), windows.WinDLL("gdi32")
        self._kernel = windows.WinDLL("kernel32")
        _declare(self._user32, self._gdi)
        self._affinity = DisplayAffinity()
        self._lock = threading.Lock()
        self._pictures: dict[str, HintPicture] = {}
        self._shown: dict[str, tuple[int, HintPicture]] = {}
        self._ready = threading.Event()
        self._thread: threading.Thread | None = None
        self._id = 0

    def open(self) -> str:
        if self._thread is not None:
            return ""
        wanted = wintypes.BOOL(True)
        self._user32.SystemParametersInfoW(_GET_ANIMATION, 0, ctypes.byref(wanted), 0)
        self.animated = bool(wanted.value)
        probe = self._make()
        refused = not probe or not self._affinity.exclude(probe)
        self._user32.DestroyWindow(probe)
        if refused:
            return REFUSED
        self._ready.clear()
        self._thread = threading.Thread(target=self._run, name="hint windows", daemon=True)
        self._thread.start()
        self._ready.wait(_START_SECONDS)
        return ""

    def show(self, pictures: Mapping[str, HintPicture]) -> None:
        with self._lock:
            self._pictures = dict(pictures)
        if self._id:
            self._user32.PostThreadMessageW(self._id, _NEWS, 0, 0)

    def close(self) -> None:
        thread, self._thread = self._thread, None
        if thread is not None:
            self._user32.PostThreadMessageW(self._id, _QUIT, 0, 0)
            thread.join(_START_SECONDS)
            self._id = 0

    def _run(self) -> None:
        """Serve until the thread is told to quit."""
        message = wintypes.MSG()
        self._user32.PeekMessageW(ctypes.byref(message), None, 0, 0, 0)  # makes the queue that posts go to
        self._id = self._kernel.GetCurrentThreadId()
        self._ready.set()
        while self._user32.GetMessageW(ctypes.byref(message), None, 0, 0) > 0:
            if message.message == _NEWS and not message.hWnd:
                self._follow()
            else:
                self._user32.DispatchMessageW(ctypes.byref(message))
        for window, _ in self._shown.values():
            self._user32.DestroyWindow(window)
        self._shown = {}

    def _follow(self) -> None:
        """Make what is shown what is wanted."""
        with self._lock:
            wanted = self._pictures
        for name in [each for each in self._shown if each not in wanted]:
            self._user32.DestroyWindow(self._shown.pop(name)[0])
        for name, picture in wanted.items():
            window, last = self._shown.get(name, (0, None))
            if picture == last:
                continue
            new = not window
            window = window or self._make()
            if not window or (new and not self._affinity.exclude(window)):
                self._user32.DestroyWindow(window)
                continue
            self._paint(window, picture)
            self._shown[name] = (window, picture)
            if new:
                self._user32.ShowWindow(window, _SHOW_QUIETLY)

    def _make(self) -> int:
        return int(
            self._user32.CreateWindowExW(_STYLE, "Static", "", _POPUP, 0, 0, 0, 0, None, None, None, None)
            or 0
        )

    def _paint(self, window: int, picture: HintPicture) -> None:
        place = picture.place
        head = _BitmapHeader(
            ctypes.sizeof(_BitmapHeader), place.width, -place.height, 1, 32, 0, 0, 0, 0, 0, 0
        )  # rows from top to bottom
        bits = ctypes.c_void_p()
        context = self._gdi.CreateCompatibleDC(None)
        bitmap = self._gdi.CreateDIBSection(
            context, ctypes.byref(head), _COLORS, ctypes.byref(bits), None, _NO_WAIT
        )
        try:
            if not bitmap or not bits.value:
                return
            ctypes.memmove(bits.value, picture.pixels, len(picture.pixels))
            before = self._gdi.SelectObject(context, bitmap)
            at, size, start = wintypes.POINT(place.x, place.y), wintypes.SIZE(place.width, place.height), wintypes.POINT(0, 0)  # fmt: skip
            blend = _Blend(0, 0, 255, _PREMULTIPLIED)
            self._user32.UpdateLayeredWindow(
                window, None, ctypes.byref(at), ctypes.byref(size), context, ctypes.byref(start), 0,
                ctypes.byref(blend), _BY_ALPHA,
            )  # fmt: skip
            self._gdi.SelectObject(context, before)
        finally:
            self._gdi.DeleteObject(bitmap)
            self._gdi.DeleteDC(context)


class _BitmapHeader(ctypes.Structure):
    """BITMAPINFOHEADER."""

    _fields_ = (
        ("size", wintypes.DWORD),
        ("width", wintypes.LONG),
        ("height", wintypes.LONG),
        ("planes", wintypes.WORD),
        ("bits", wintypes.WORD),
        ("compression", wintypes.DWORD),
        ("image_size", wintypes.DWORD),
        ("x_density", wintypes.LONG),
        ("y_density", wintypes.LONG),
        ("colors", wintypes.DWORD),
        ("important", wintypes.DWORD),
    )


class _Blend(ctypes.Structure):
    """BLENDFUNCTION."""

    _fields_ = (
        ("operation", ctypes.c_ubyte),
        ("flags", ctypes.c_ubyte),
        ("alpha", ctypes.c_ubyte),
        ("format", ctypes.c_ubyte),
    )


def _declare(user32: Any, gdi: Any) -> None:
    """Declare argument and result types: ctypes would cut handles, as wide as pointers, to 32 bits."""
    window, handle, pointer, whole = wintypes.HWND, wintypes.HANDLE, ctypes.c_void_p, ctypes.c_int
    user32.CreateWindowExW.restype = window
    user32.CreateWindowExW.argtypes = [
        wintypes.DWORD, wintypes.LPCWSTR, wintypes.LPCWSTR, wintypes.DWORD, whole, whole, whole, whole,
        window, wintypes.HMENU, wintypes.HINSTANCE, pointer,
    ]  # fmt: skip
    user32.DestroyWindow.argtypes = [window]
    user32.ShowWindow.argtypes = [window, whole]
    user32.PostThreadMessageW.argtypes = [wintypes.DWORD, wintypes.UINT, ctypes.c_size_t, ctypes.c_ssize_t]
    user32.UpdateLayeredWindow.argtypes = [
        window, handle, pointer, pointer, handle, pointer, wintypes.DWORD, pointer, wintypes.DWORD,
    ]  # fmt: skip
    gdi.CreateCompatibleDC.restype = gdi.CreateDIBSection.restype = gdi.SelectObject.restype = handle
    gdi.CreateCompatibleDC.argtypes = [handle]
    gdi.CreateDIBSection.argtypes = [handle, pointer, wintypes.UINT, pointer, handle, wintypes.DWORD]
    gdi.SelectObject.argtypes = [handle, handle]
    gdi.DeleteObject.argtypes = [handle]
    gdi.DeleteDC.argtypes = [handle]
