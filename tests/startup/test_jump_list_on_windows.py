"""The real task bar takes our tasks, or says that it takes none."""

from __future__ import annotations

import ctypes
import sys
from typing import Any

import pytest

from desktop_agent.cli import parse
from desktop_agent.ui.around.jump_list import show_tasks, tasks


def test_every_task_asks_something_of_the_open_window() -> None:
    offered = tasks([r"C:\\Program Files\\desktop-agent.exe"])
    assert [parse(each.arguments.split()).ask for each in offered] == ["stop", "history", "settings"]


def test_the_task_bar_takes_them() -> None:
    windows: Any = ctypes
    windows.WinDLL("ole32").OleInitialize(None)
    if not show_tasks(tasks([sys.executable, "-m", "desktop_agent"])):
        pytest.skip("this system's task bar takes no tasks")
