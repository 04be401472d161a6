"""Windows' top-level windows and the text in them."""

from __future__ import annotations

import contextlib
import ctypes
from ctypes import wintypes
from typing import Any

from installer.windows_check.probes.user32 import user32

_EXTENDED_STYLE, _TOPMOST, _WORK_AREA = -20, 0x8, 0x30
_SET_TEXT, _GET_TEXT, _TEXT_LENGTH, _CLOSE = 0x0C, 0x0D, 0x0E, 0x10
_QUERY_END_SESSION, _END_SESSION, _LOG_OFF = 0x11, 0x16, 0x8000_0000
_ABORT_IF_HUNG, _MILLISECONDS = 0x2, 5_000
_MINIMISED = 6


def listed() -> list[dict[str, Any]]:
    """All that can be seen, front first: window, title, kind, process, place and whether it is always on top."""
    return [_described(window) for window in _top_level() if user32().IsWindowVisible(wintypes.HWND(window))]


def _top_level() -> list[int]:
    found: list[int] = []
    kind = ctypes.WINFUNCTYPE(wintypes.BOOL, wintypes.HWND, wintypes.LPARAM)  # type: ignore[attr-defined,unused-ignore]

    def see(window: int, _: int) -> bool:
        found.append(window)
        return True

    user32().EnumWindows(kind(see), 0)
    return found


def _owner(window: int) -> int:
    pid = wintypes.DWORD()
    user32().GetWindowThreadProcessId(wintypes.HWND(window), ctypes.byref(pid))
    return pid.value


def _described(window: int) -> dict[str, Any]:
    handle, rect = wintypes.HWND(window), wintypes.RECT()
    words = ctypes.create_unicode_buffer(512)
    user32().GetWindowRect(handle, ctypes.byref(rect))
    user32().GetWindowTextW(handle, words, 512)
    title = words.value
    user32().GetClassNameW(handle, words, 512)
    style = user32().GetWindowLongW(handle, _EXTENDED_STYLE)
    place = [rect.left, rect.top, rect.right - rect.left, rect.bottom - rect.top]
    return {
        "window": window,
        "title": title,
        "kind": words.value,
        "pid": _owner(window),
        "place": place,
        "topmost": bool(style & _TOPMOST),
        "minimised": bool(user32().IsIconic(handle)),
    }


def work_area() -> list[int]:
    """Left, top, width and height of what the task bar leaves of the screen."""
    rect = wintypes.RECT()
    user32().SystemParametersInfoW(_WORK_AREA, 0, ctypes.byref(rect), 0)
    return [rect.left, rect.top, rect.right - rect.left, rect.bottom - rect.top]


def foreground() -> int:
    """The window with the keyboard."""
    return int(user32().GetForegroundWindow() or 0)


def text(window: int) -> str:
    """All text of a window's edit control (WM_GETTEXT)."""
    size = length(window) + 1
    buffer = ctypes.create_unicode_buffer(size)
    _ask(_edit(window), _GET_TEXT, size, buffer)
    return buffer.value


def length(window: int) -> int:
    """UTF-16 units in a window's edit control."""
    return _ask(_edit(window), _TEXT_LENGTH, 0, None)


def set_text(window: int, words: str) -> None:
    """Put a text in place of what is in a window's edit control."""
    _ask(_edit(window), _SET_TEXT, 0, ctypes.create_unicode_buffer(words))


def end_session(pid: int) -> list[int]:
    """What Windows says to all top-level windows of a process when its user logs off; their answers to the question."""
    windows = [each for each in _top_level() if _owner(each) == pid]
    agreed = [_ask(each, _QUERY_END_SESSION, 0, ctypes.c_void_p(_LOG_OFF)) for each in windows]
    for each in windows:
        with contextlib.suppress(OSError):  # the first one may have ended the process
            _ask(each, _END_SESSION, 1, ctypes.c_void_p(_LOG_OFF))
    return agreed


def fill_screen(window: int) -> None:
    """Make it as large as the work area and give it the keyboard."""
    left, top, width, height = work_area()
    user32().MoveWindow(wintypes.HWND(window), left, top, width, height, True)
    user32().SetForegroundWindow(wintypes.HWND(window))


def take_keyboard(window: int) -> None:
    """Give a window the keyboard."""
    user32().SetForegroundWindow(wintypes.HWND(window))


def close(window: int) -> None:
    """Ask a window to close, as its cross does (WM_CLOSE)."""
    user32().PostMessageW(wintypes.HWND(window), _CLOSE, 0, 0)


def minimise(window: int) -> None:
    """Make it small, as its user can."""
    user32().ShowWindow(wintypes.HWND(window), _MINIMISED)


def _edit(window: int) -> int:
    return int(user32().FindWindowExW(wintypes.HWND(window), None, "Edit", None) or 0)


def _ask(window: int, message: int, number: int, pointer: Any) -> int:
    answer = ctypes.c_size_t()
    done = user32().SendMessageTimeoutW(
        wintypes.HWND(window), message, number, pointer, _ABORT_IF_HUNG, _MILLISECONDS, ctypes.byref(answer)
    )
    if not done:
        raise OSError(f"window {window:#x} does not answer message {message:#x}")
    return int(answer.value)
