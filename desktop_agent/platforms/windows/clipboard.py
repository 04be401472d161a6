"""Saves and restores the Windows clipboard.

Source: "Clipboard Operations" and "Clipboard Formats" of the Windows API. Restored content belongs to the
clipboard itself, so no process has to serve it. Formats in global memory are saved, those rendered on demand are
requested from the owner. Formats that are no memory (graphics handles, a program's private data, live OLE
objects) cannot be saved as bytes; they are named in the log.
"""

from __future__ import annotations

import ctypes
import logging
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ctypes import wintypes
from typing import Any

import msgspec

from desktop_agent.platforms.base import Change, Clipboard
from desktop_agent.platforms.windows.user32 import User32
from desktop_agent.protocol.errors import TargetError

OPEN_SECONDS = 1.0
"""Longest wait while another program has the clipboard open, and for one answer of its owner."""
SAVE_SECONDS = 2.0
SAVE_BYTES = 64_000_000
_PAUSE = 0.01
_TEXT, _OEM_TEXT, _UNICODE = 1, 7, 13
# CF_UNICODETEXT, CF_HDROP, CF_DIB: saved first, in case time or space runs out; then registered formats.
_FIRST = (_UNICODE, 15, 8)
_NAMED = range(0xC000, 0x10000)
# Standard formats that are no global memory, with their everyday names; Windows makes CF_BITMAP from CF_DIB.
_GRAPHICS = {2: "bitmap", 3: "metafile", 9: "palette", 14: "enhanced metafile"}
# Formats displayed by their owner, private to it, or GDI objects.
_FOREIGN = (range(0x80, 0x8F), range(0x200, 0x300), range(0x300, 0x400))
# References by which OLE finds the live object in its program.
_LIVE_OBJECTS = frozenset(("DataObject", "Ole Private Data"))
_log = logging.getLogger(__name__)


UPDATED = 0x031D  # WM_CLIPBOARDUPDATE
_ONLY_MESSAGES = -3  # HWND_MESSAGE
_REMOVE, _MOVABLE, _POSTED_OR_SENT = 0x1, 0x2, 0x48
_NAME_LENGTH = 256


class ClipboardFormat(msgspec.Struct, frozen=True):
    """The content in one format: its number, its name if it is a registered format (else ""), and the bytes.

    Its repr hides the data, which belong to the user and must not reach a log.
    """

    number: int
    name: str
    data: bytes

    def __repr__(self) -> str:
        return f"ClipboardFormat({self.name or self.number}, {len(self.data)} bytes)"


class ClipboardContent(msgspec.Struct, frozen=True):
    """Everything saved of a clipboard, in its order of formats; none when it was empty."""

    forms: tuple[ClipboardFormat, ...] = ()


class WindowsClipboard(Clipboard):
    """The clipboard of this session. Use it only on the thread that constructs it, which owns its window."""

    def __init__(self, user32: User32) -> None:
        self._user32 = user32
        self._calls = ClipboardCalls()
        self._last = Change()
        self._window = self._calls.new_window()
        if not self._window or not self._calls.listen(self._window):
            self.close()
            raise TargetError("Windows does not tell us of the clipboard.")

    # ---- owner changes -----------------------------------------------------------------------

    def last(self) -> Change:
        when: int | None = None
        while (told := self._calls.changed_at(self._window)) is not None:
            when = told
        if when is not None:
            self._last = Change(self._user32.owner(self._calls.owner()), when)
        return self._last

    def wait_for_change(self, before: Change, seconds: float) -> Change:
        deadline = time.monotonic() + seconds
        while (last := self.last()) == before and (left := deadline - time.monotonic()) > 0:
            self._calls.wait(left)
        return last

    # ---- saving ------------------------------------------------------------------------------

    def save(self) -> bytes | None:
        if not self._owner_answers():
            return None  # a format rendered on demand would hang, and block the clipboard for every program
        deadline = time.monotonic() + SAVE_SECONDS
        with self._opened(self._window):
            offered = list(self._calls.formats())
            forms, missing = self._forms(offered, deadline)
        if missing:
            _log.info("not kept of the clipboard: %s", ", ".join(missing))
        if offered and not forms:
            return None
        return msgspec.msgpack.encode(
            ClipboardContent(tuple(sorted(forms, key=lambda each: offered.index(each.number))))
        )

    def _forms(self, offered: Sequence[int], deadline: float) -> tuple[list[ClipboardFormat], list[str]]:
        """The formats that can be saved, and the names of those that cannot."""
        forms: list[ClipboardFormat] = []
        missing: list[str] = []
        room = SAVE_BYTES
        for number in sorted(offered, key=_usefulness):
            name = self._calls.name(number) if number in _NAMED else ""
            if _made_by_windows(number, offered):
                continue
            data = None if _foreign(number, name) else self._data(number, deadline, room)
            if data is None:
                missing.append(name or _GRAPHICS.get(number, f"format {number}"))
                continue
            room -= len(data)
            forms.append(ClipboardFormat(number, name, data))
        return forms, missing

    def _data(self, number: int, deadline: float, room: int) -> bytes | None:
        """The bytes of one format; None when time or `room` (bytes) is used up, or it is no global memory."""
        memory = self._calls.data(number) if time.monotonic() < deadline else 0
        size = self._calls.size(memory) if memory else 0
        return self._calls.read(memory) if 0 < size <= room else None

    # ---- restoring ---------------------------------------------------------------------------

    def restore(self, saved: bytes) -> None:
        """Restore what `save` returned; the present content is emptied only once all memory is allocated."""
        forms = msgspec.msgpack.decode(saved, type=ClipboardContent).forms
        if not self._owner_answers():  # Windows notifies the owner of the change and waits for it
            raise _not_put_back("The program it was copied from does not answer.")
        memories = [(self._number(each), self._calls.new(each.data)) for each in forms]
        try:
            if not all(number and memory for number, memory in memories):
                raise _not_put_back("There is no memory left for it.")
            with self._owning() as window, self._opened(window):
                if not self._calls.empty():
                    raise _not_put_back("Windows does not empty it.")
                memories = [each for each in memories if not self._calls.put(*each)]
            if memories:
                raise _not_put_back("Windows does not take all of it.")
        finally:
            for _, memory in memories:
                self._calls.free(memory)

    def _number(self, form: ClipboardFormat) -> int:
        return self._calls.number(form.name) if form.name else form.number

    @contextmanager
    def _owning(self) -> Iterator[int]:
        """A temporary window to own the clipboard: Windows accepts content from an owner only.

        It is destroyed at once, as Windows notifies an owner, and waits for it, whenever somebody copies.
        """
        window = self._calls.new_window()
        try:
            yield window
        finally:
            self._calls.end_window(window)

    def _owner_answers(self) -> bool:
        owner = self._calls.owner()
        return not owner or self._user32.answers(owner, OPEN_SECONDS)

    @contextmanager
    def _opened(self, window: int) -> Iterator[None]:
        """Keep the clipboard open inside the context, which locks out other programs. Raises TargetError on timeout."""
        deadline = time.monotonic() + OPEN_SECONDS
        while not self._calls.open(window):
            if time.monotonic() > deadline:
                raise TargetError("Another program has the clipboard open.", "Copy again what you need.")
            threading.Event().wait(_PAUSE)
        try:
            yield
        finally:
            self._calls.close()

    def close(self) -> None:
        if self._window:
            self._calls.end_window(self._window)
            self._window = 0


def _usefulness(number: int) -> int:
    if number in _FIRST:
        return _FIRST.index(number)
    return len(_FIRST) if number in _NAMED else len(_FIRST) + 1


def _made_by_windows(number: int, offered: Sequence[int]) -> bool:
    """True when Windows synthesises the format, unchanged, from another one that is saved."""
    return (number in (_TEXT, _OEM_TEXT) and _UNICODE in offered) or (number == 2 and 8 in offered)


def _foreign(number: int, name: str) -> bool:
    return number in _GRAPHICS or name in _LIVE_OBJECTS or any(number in kind for kind in _FOREIGN)


def _not_put_back(why: str) -> TargetError:
    return TargetError(f"The clipboard could not be put back. {why}", "Copy again what you need.")


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
