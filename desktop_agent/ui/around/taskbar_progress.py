"""How far a run is, on the window's button in the task bar of Windows; and which of its colours the state has.

Source: ITaskbarList3 (shobjidl_core.h): its methods are called by their place in the interface.
"""

from __future__ import annotations

import ctypes
import logging
import uuid
from typing import Any, NamedTuple

from desktop_agent.ui.view_model import RunView

_CLASS, _INTERFACE = "56fdf344-fd6d-11d0-958a-006097c9a090", "ea1afb91-9e28-4b86-90e9-9e9f8a5eefaf"
_IN_PROCESS = 1
_RELEASE, _INIT, _SET_VALUE, _SET_STATE = 2, 3, 9, 10
NOTHING, ENDLESS, NORMAL, ERROR, PAUSED = 0, 1, 2, 4, 8
"""TBPFLAG: no bar, one that runs, green, red, yellow."""


class ButtonProgress(NamedTuple):
    """What the button shows: a TBPFLAG, and how much of how much."""

    state: int
    done: int = 0
    total: int = 0


def progress_of(view: RunView) -> ButtonProgress:
    """By the plan's steps: yellow while the user is wanted, red after a failure, nothing without a run."""
    if view.state == "error":
        return ButtonProgress(ERROR, 1, 1)
    if not view.working:
        return ButtonProgress(NOTHING)
    steps = len(view.plan.steps) if view.plan is not None else 0
    done = view.plan.current if view.plan is not None else 0
    if view.state in ("paused", "waiting_for_user"):
        return ButtonProgress(PAUSED, done if steps else 1, steps or 1)
    return ButtonProgress(NORMAL, done, steps) if steps else ButtonProgress(ENDLESS)


class TaskbarProgress:
    """The button of one window; used in the UI thread alone, which Qt has made ready for COM. Where it cannot be had it does nothing."""

    def __init__(self, window: int) -> None:
        self._window = ctypes.c_void_p(window)
        self._list = _created()
        self._shown = ButtonProgress(NOTHING)

    @property
    def there(self) -> bool:
        """True where the task bar can show progress."""
        return self._list is not None

    def show(self, progress: ButtonProgress) -> None:
        """Show it unless it is shown already."""
        if self._list is None or progress == self._shown:
            return
        self._shown = progress
        _method(self._list, _SET_STATE, ctypes.c_void_p, ctypes.c_int)(self._window, progress.state)
        if progress.total:
            count = ctypes.c_ulonglong
            _method(self._list, _SET_VALUE, ctypes.c_void_p, count, count)(
                self._window, progress.done, progress.total
            )

    def close(self) -> None:
        """Let the task bar go."""
        if self._list is not None:
            _method(self._list, _RELEASE)()
            self._list = None


def _created() -> ctypes.c_void_p | None:
    windows: Any = ctypes
    found = ctypes.c_void_p()
    names = [(ctypes.c_byte * 16).from_buffer_copy(uuid.UUID(each).bytes_le) for each in (_CLASS, _INTERFACE)]
    result = windows.WinDLL("ole32").CoCreateInstance(
        ctypes.byref(names[0]), None, _IN_PROCESS, ctypes.byref(names[1]), ctypes.byref(found)
    )
    if result != 0 or not found or _method(found, _INIT)() != 0:
        logging.getLogger(__name__).info("no progress in the task bar: %#x", result & 0xFFFFFFFF)
        return None
    return found


def _method(thing: ctypes.c_void_p, place: int, *kinds: Any) -> Any:
    """A method of a COM object by its place, bound to the object; it returns an HRESULT."""
    windows: Any = ctypes
    table = ctypes.cast(thing, ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p))).contents
    kind = windows.WINFUNCTYPE(ctypes.c_long, ctypes.c_void_p, *kinds)
    call = kind(table[place])
    return lambda *values: call(thing, *values)
