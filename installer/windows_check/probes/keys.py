"""The keyboard and the buttons as Windows tells of them: what is down, and which keys came in which order.

The one observer of both: of the check's probe, of the benchmark's and of the tests of real input.
"""

from __future__ import annotations

import ctypes
import functools
import time
from ctypes import wintypes
from typing import Any, NamedTuple

from installer.windows_check.probes.user32 import POINTER, Looping, own_module, user32

SHIFT, CTRL, LEFT_BUTTON, ESCAPE, PACKET = 0xA0, 0xA2, 0x01, 0x1B, 0xE7
"""Virtual keys: the left ones of those that a keyboard has twice; PACKET is what every typed character comes as."""
_EITHER_SIDE = frozenset((0x10, 0x11, 0x12))
"""Codes that stand for the left or the right key, each of which has its own."""
_KEYBOARD_HOOK, _INJECTED = 13, 0x10
# WM_KEYUP, WM_SYSKEYUP: Wine leaves the flag for it (LLKHF_UP) out of a typed character's.
_KEY_UP = (0x0101, 0x0105)


class KeyEvent(NamedTuple):
    """A key went down or `up`: when (seconds), its virtual key, whether a program sent it, and that program's tag."""

    at: float
    code: int
    up: bool
    injected: bool
    extra: int


class _Record(ctypes.Structure):
    _fields_ = (
        *((name, wintypes.DWORD) for name in ("code", "scan", "flags", "time")),
        ("extra", ctypes.c_size_t),
    )


def held() -> list[int]:
    """The virtual keys that are down now, mouse buttons among them, whoever pressed them (GetAsyncKeyState)."""
    state = user32().GetAsyncKeyState
    return [code for code in range(1, 256) if code not in _EITHER_SIDE and state(code) & 0x8000]


class KeyLog(Looping):
    """Every key event of the session in the order in which Windows takes them."""

    def __init__(self) -> None:
        super().__init__()
        windows: Any = ctypes  # WINFUNCTYPE is there on Windows only
        kind = windows.WINFUNCTYPE(ctypes.c_ssize_t, ctypes.c_int, ctypes.c_size_t, POINTER)
        self._callback = kind(self._called)
        self.events: list[KeyEvent] = []

    @property
    def presses(self) -> list[KeyEvent]:
        """The keys that went down."""
        return [each for each in list(self.events) if not each.up]

    def begin(self) -> None:
        self._hook = user32().SetWindowsHookExW(_KEYBOARD_HOOK, self._callback, own_module(), 0)
        if not self._hook:
            raise OSError("Windows lets nobody see the keyboard")

    def end(self) -> None:
        user32().UnhookWindowsHookEx(self._hook)

    def _called(self, code: int, word: int, event: int) -> int:
        if code == 0:
            key = _Record.from_address(event)
            injected = bool(key.flags & _INJECTED)
            self.events.append(KeyEvent(time.perf_counter(), key.code, word in _KEY_UP, injected, key.extra))
        return int(user32().CallNextHookEx(None, code, word, event))


@functools.cache
def _log() -> KeyLog:
    """The log of this process, from the first question for it on."""
    return KeyLog().__enter__()


def watch() -> None:
    """From now on note every key event."""
    _log().events.clear()


def seen() -> list[KeyEvent]:
    """What was noted since `watch`."""
    return list(_log().events)
