"""Low-level hooks: every key and pointer event of the session, before any program gets it, with who sent it.

A hook is called on the thread that set it, which must fetch messages; Windows drops a hook that answers
slowly, without a word, so what it calls only takes notes.

Made here because the libraries for it do not tell what a guard has to know. `keyboard` (0.13.5) hands on neither
who sent an event nor whether it was injected, leaves out what is typed as characters, and looks up names before it
answers; the listener of `pynput` turns events into keys, without either, too. Neither can be told to set its hook
anew.

Source: SetWindowsHookExW, KBDLLHOOKSTRUCT and MSLLHOOKSTRUCT of the Windows API (winuser.h).
"""

from __future__ import annotations

import contextlib
import ctypes
import queue
import threading
from collections.abc import Callable
from ctypes import wintypes
from typing import Any, NamedTuple

from desktop_agent.platforms.windows.user32 import OURS
from desktop_agent.protocol.errors import TargetError

_KEYBOARD, _MOUSE = 13, 14
# WM_KEYUP, WM_SYSKEYUP: Wine leaves the flag for it (LLKHF_UP) out of a typed character's.
_KEY_UP = (0x0101, 0x0105)
_MOVED = 0x0200  # WM_MOUSEMOVE
_PRESSED = frozenset((0x0201, 0x0204, 0x0207, 0x020A, 0x020B, 0x020E))  # buttons down, and the wheels
REST_MILLISECONDS, _WAKE = 50, 0x8000  # WM_APP
_INJECTED = {_KEYBOARD: 0x10, _MOUSE: 0x01}


class _KeyEvent(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_uint32),
        ("scan", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("time", ctypes.c_uint32),
        ("extra", ctypes.c_size_t),
    )


class _MouseEvent(ctypes.Structure):
    _fields_ = (
        ("x", ctypes.c_int32),
        ("y", ctypes.c_int32),
        ("data", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("time", ctypes.c_uint32),
        ("extra", ctypes.c_size_t),
    )


class Keyed(NamedTuple):
    """A key went down or `up`: its virtual key, whether this program sent it, and whether any program did."""

    code: int
    up: bool
    ours: bool
    injected: bool


class Pointed(NamedTuple):
    """The pointer moved to x, y, or (`pressed`) a button or the wheel was used there."""

    x: int
    y: int
    pressed: bool
    ours: bool
    injected: bool


class Hooks:
    """Both hooks, or the keyboard's alone, on a thread of their own, which waits inside Windows for what comes.

    One thread for both, and one hook of a kind: a program that injects waits until every hook has answered, so
    what comes after a key here was sent after its `on_key` had returned. `on_key` and `on_pointer` are called on
    that thread, and so is `rest`, some twenty times a second.
    """

    def __init__(
        self,
        on_key: Callable[[Keyed], None],
        on_pointer: Callable[[Pointed], None] | None,
        rest: Callable[[], None],
    ) -> None:
        windows: Any = ctypes  # WinDLL and WINFUNCTYPE are there on Windows only
        self._user32: Any = windows.WinDLL("user32", use_last_error=True)
        self._user32.SetWindowsHookExW.restype = ctypes.c_void_p
        self._user32.SetWindowsHookExW.argtypes = [
            ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, wintypes.DWORD,
        ]  # fmt: skip
        self._user32.CallNextHookEx.restype = ctypes.c_ssize_t
        self._user32.CallNextHookEx.argtypes = [
            ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t, ctypes.c_void_p,
        ]  # fmt: skip
        self._user32.UnhookWindowsHookEx.argtypes = [ctypes.c_void_p]
        self._user32.PostThreadMessageW.argtypes = [
            wintypes.DWORD, wintypes.UINT, wintypes.WPARAM, wintypes.LPARAM,
        ]  # fmt: skip
        kernel = windows.WinDLL("kernel32")
        kernel.GetModuleHandleW.restype = ctypes.c_void_p
        self._module = kernel.GetModuleHandleW(None)
        kind = windows.WINFUNCTYPE(ctypes.c_ssize_t, ctypes.c_int, ctypes.c_size_t, ctypes.c_void_p)
        self._on_key, self._on_pointer, self._rest = on_key, on_pointer, rest
        wanted = {_KEYBOARD: self._key} if on_pointer is None else {_KEYBOARD: self._key, _MOUSE: self._mouse}
        # Made once and kept: Windows may have a call under way for a hook that is being set anew.
        self._callbacks = {number: kind(self._called(tell)) for number, tell in wanted.items()}
        self._set: list[int] = []
        self._again = False
        self._thread = 0
        self._began: queue.SimpleQueue[TargetError | None] = queue.SimpleQueue()

    def start(self, name: str) -> None:
        """Begin, in a thread of that name; returns when the hooks are set. Raises TargetError when Windows refuses."""
        threading.Thread(target=self._run, name=name, daemon=True).start()
        if (error := self._began.get()) is not None:
            raise error

    def wake(self) -> None:
        """Said within `on_key` or `on_pointer`: rest as soon as this event has gone on."""
        self._user32.PostThreadMessageW(self._thread, _WAKE, 0, 0)

    def renew(self) -> None:
        """Said within `rest`: set them anew, as Windows has dropped them."""
        self._again = True

    def _run(self) -> None:
        try:
            self._hook()
        except TargetError as error:
            self._began.put(error)
            return
        self._thread = threading.get_native_id()
        self._began.put(None)
        self._user32.SetTimer(None, 0, REST_MILLISECONDS, None)
        message = wintypes.MSG()
        while self._user32.GetMessageW(ctypes.byref(message), None, 0, 0) > 0:
            self._rest()
            if self._again:
                self._set_anew()

    def _set_anew(self) -> None:
        """When Windows refuses (for a moment, perhaps) the next rest will ask for it again."""
        self._again = False
        for handle in self._set:
            self._user32.UnhookWindowsHookEx(handle)
        with contextlib.suppress(TargetError):
            self._hook()

    def _hook(self) -> None:
        self._set = []
        for number, callback in self._callbacks.items():
            handle = self._user32.SetWindowsHookExW(number, callback, self._module, 0)
            if not handle:
                raise TargetError("Windows does not let us see the keyboard.", "Is a remote session closing?")
            self._set.append(handle)

    def _called(self, tell: Callable[[int, int], None]) -> Callable[[int, int, int], int]:
        def called(code: int, word: int, event: int) -> int:
            if code == 0:
                tell(word, event)
            return int(self._user32.CallNextHookEx(None, code, word, event))

        return called

    def _key(self, word: int, event: int) -> None:
        key = _KeyEvent.from_address(event)
        injected = bool(key.flags & _INJECTED[_KEYBOARD])
        self._on_key(Keyed(key.code, word in _KEY_UP, key.extra == OURS, injected))

    def _mouse(self, word: int, event: int) -> None:
        if self._on_pointer is not None and (word == _MOVED or word in _PRESSED):
            seen = _MouseEvent.from_address(event)
            injected = bool(seen.flags & _INJECTED[_MOUSE])
            self._on_pointer(Pointed(seen.x, seen.y, word != _MOVED, seen.extra == OURS, injected))
