"""How far a run is, on the window's button in the task bar of Windows; and which of its colours the state has.

Source: ITaskbarList3 (shobjidl_core.h): its methods are called by their place in the interface.
"""

from __future__ import annotations

import ctypes
import logging
from typing import NamedTuple

from desktop_agent.platforms.windows.com_object import ComObject, create
from desktop_agent.ui.view_model import RunView

_CLASS, _INTERFACE = "56fdf344-fd6d-11d0-958a-006097c9a090", "ea1afb91-9e28-4b86-90e9-9e9f8a5eefaf"
_INIT, _SET_VALUE, _SET_STATE = 3, 9, 10
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
        self._list.call(_SET_STATE, self._window, ctypes.c_int(progress.state))
        if progress.total:
            done, total = ctypes.c_ulonglong(progress.done), ctypes.c_ulonglong(progress.total)
            self._list.call(_SET_VALUE, self._window, done, total)

    def close(self) -> None:
        """Let the task bar go."""
        if self._list is not None:
            self._list.close()
            self._list = None


def _created() -> ComObject | None:
    found = create(_CLASS, _INTERFACE)
    if found is None or found.call(_INIT) != 0:
        logging.getLogger(__name__).info("no progress in the task bar")
        return None
    return found
