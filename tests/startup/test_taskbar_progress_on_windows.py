"""The real task bar takes the progress of a window."""

from __future__ import annotations

import ctypes
from typing import Any

from desktop_agent.ui.around.taskbar_progress import ENDLESS, NORMAL, NOTHING, ButtonProgress, TaskbarProgress


def test_the_task_bar_is_there_and_takes_every_kind() -> None:
    windows: Any = ctypes
    windows.WinDLL("ole32").OleInitialize(None)
    found = TaskbarProgress(windows.WinDLL("user32").GetDesktopWindow())
    assert found.there
    for each in (ButtonProgress(ENDLESS), ButtonProgress(NORMAL, 1, 3), ButtonProgress(NOTHING)):
        found.show(each)
    found.close()
    assert not found.there
