"""Whether the program in front has processed its input, on a real Windows session."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from typing import Any

import pytest

from desktop_agent.targets._windows import WindowsScreen
from tests.support.waiting import until
from tests.windows_session import screen

__all__ = ["screen"]

pytestmark = pytest.mark.skipif(sys.platform != "win32", reason="asks Windows itself")
SUSPEND_RESUME = 0x0800
PROGRAM = """
import sys
from tests.support.windows_desk import Reader
with Reader() as window:
    window.focus()
    print("ready", flush=True)
    sys.stdin.read()
"""


def test_a_program_that_does_not_look_for_messages_is_busy(screen: WindowsScreen) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            _watch(screen, process)
        finally:
            process.kill()


def _watch(screen: WindowsScreen, process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    process.stdout.readline()
    until(lambda: (front := screen.focused_window()) is not None and front.pid == process.pid, "its window")
    until(lambda: not screen.busy(), "its answer")
    windows: Any = ctypes
    handle = windows.windll.kernel32.OpenProcess(SUSPEND_RESUME, False, process.pid)
    windows.windll.ntdll.NtSuspendProcess(handle)
    assert screen.busy()
    screen.protect([process.pid])
    assert not screen.busy(), "our own windows are not acted on"
    screen.protect([])
    windows.windll.ntdll.NtResumeProcess(handle)
    until(lambda: not screen.busy(), "its answer again")
    windows.windll.kernel32.CloseHandle(handle)
