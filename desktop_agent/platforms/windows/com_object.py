"""COM objects of the Windows shell whose methods are called by their place in the interface; for the thread that made them."""

from __future__ import annotations

import ctypes
import uuid
from typing import Any

_IN_PROCESS = 1
_QUERY, _RELEASE = 0, 2


class ComObject:
    """One interface of an object; `close` releases it."""

    def __init__(self, pointer: ctypes.c_void_p) -> None:
        self.pointer = pointer

    def call(self, place: int, *values: Any) -> int:
        """Call a method by its place, with ctypes values; its HRESULT, 0 for done."""
        windows: Any = ctypes
        table = ctypes.cast(self.pointer, ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p))).contents
        kind = windows.WINFUNCTYPE(ctypes.c_long, ctypes.c_void_p, *map(type, values))
        return int(kind(table[place])(self.pointer, *values))

    def query(self, interface: str) -> ComObject | None:
        """Another interface of the same object, None where it has not got it."""
        found = ctypes.c_void_p()
        name = guid(interface)
        result = self.call(_QUERY, ctypes.pointer(name), ctypes.pointer(found))
        return ComObject(found) if result == 0 and found else None

    def close(self) -> None:
        """Release it."""
        self.call(_RELEASE)


def create(of_class: str, interface: str) -> ComObject | None:
    """Create an object in this process, which COM is ready in; None where the system has none."""
    windows: Any = ctypes
    found = ctypes.c_void_p()
    name, wanted = guid(of_class), guid(interface)
    result = windows.WinDLL("ole32").CoCreateInstance(
        ctypes.byref(name), None, _IN_PROCESS, ctypes.byref(wanted), ctypes.byref(found)
    )
    return ComObject(found) if result == 0 and found else None


def guid(text: str) -> ctypes.Array[ctypes.c_byte]:
    """The bytes of a class's or interface's name."""
    return (ctypes.c_byte * 16).from_buffer_copy(uuid.UUID(text).bytes_le)
