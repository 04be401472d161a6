"""Top-level windows of a real Windows session: owners, bounds, stacking, activation."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from desktop_agent.platforms.base import WindowInfo
from desktop_agent.platforms.windows.desktop_state import check_desktop, input_desktop
from desktop_agent.platforms.windows.integrity_level import has_more_rights, integrity, program_of
from desktop_agent.platforms.windows.user32 import User32
from desktop_agent.protocol.geometry import Point, Rect
from desktop_agent.targets._windows import WindowsScreen
from installer.windows_check.probes.user32 import user32
from tests.support.waiting import until
from tests.windows_session import screen

__all__ = ["screen"]

PROGRAM = """
import sys
from tests.support.windows_desk import Reader
from installer.windows_check.probes.user32 import user32
with Reader() as window:
    user32().SetWindowTextW(window.window, sys.argv[1])
    print(window.window, flush=True)
    sys.stdin.read()
"""
TITLE = "Zażółć 你好"
MINIMISE, RESTORE = 6, 9


class Program:
    """Another program with one window."""

    def __init__(self, title: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, title], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        self.window = int(self.process.stdout.readline())
        self.pid = User32().owner(self.window)

    def end(self) -> None:
        self.process.communicate()


@pytest.fixture(scope="module")
def program() -> Iterator[Program]:
    found = Program(TITLE)
    yield found
    found.end()


def listed(screen: WindowsScreen, program: Program) -> list[WindowInfo]:
    return [each for each in screen.windows() if each.pid == program.pid]


def place(program: Program, x: int, y: int, width: int, height: int) -> None:
    call("SetWindowPos", program, None, x, y, width, height, 0x14)  # neither order nor focus


def call(name: str, program: Program, *words: Any) -> int:
    function = getattr(user32(), name)
    function.argtypes = None
    return int(function(ctypes.c_void_p(program.window), *words))


def test_a_window_has_title_program_and_place(screen: WindowsScreen, program: Program) -> None:
    place(program, 100, 120, 400, 300)
    until(
        lambda: [each.bounds for each in listed(screen, program)] == [Rect(100, 120, 400, 300)], "its place"
    )
    (window,) = listed(screen, program)
    assert (window.title, window.application, window.program) == (TITLE, "python", "python.exe")


def test_what_is_under_a_pixel_and_in_front_is_told(screen: WindowsScreen, program: Program) -> None:
    place(program, 100, 120, 400, 300)
    call("SetForegroundWindow", program)
    until(lambda: (found := screen.focused_window()) is not None and found.pid == program.pid, "the focus")
    under = screen.window_at(Point(300, 270))
    assert under is not None and (under.pid, under.title, under.foreign) == (program.pid, TITLE, False)
    assert screen.windows()[0].pid == program.pid
    scene = screen.scene()
    assert scene is not None and scene.stack[0].pid == program.pid


def test_a_minimised_window_is_not_listed(screen: WindowsScreen, program: Program) -> None:
    call("ShowWindow", program, MINIMISE)
    until(lambda: not listed(screen, program), "it to be gone from the list")
    call("ShowWindow", program, RESTORE)
    until(lambda: bool(listed(screen, program)), "it to be back")


def test_the_focus_is_given_back_to_the_other_program(screen: WindowsScreen, program: Program) -> None:
    ours = Program("ours")
    try:
        call("SetForegroundWindow", ours)
        until(lambda: screen.focused_window() is not None, "a focus")
        screen.give_focus_back()  # nothing is protected yet
        assert User32().foreground() == ours.window
        screen.protect([ours.pid])
        assert not [each for each in screen.windows() if each.pid == ours.pid]
        screen.give_focus_back()
        until(lambda: User32().foreground() == program.window, "the focus given back")
    finally:
        screen.protect([])
        ours.end()
    until(lambda: ours.pid not in [each.pid for each in screen.windows()], "its end")


def test_any_thread_can_look_and_close(screen: WindowsScreen) -> None:
    looks: list[int] = []

    def look() -> None:
        looks.append(len(screen.observe().pixels))

    for _ in range(2):
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    look()
    assert len(looks) == 3 and len(set(looks)) == 1


def test_monitors_and_pointer_are_known() -> None:
    user = User32()
    first, *_ = user.monitors()
    assert (first.x, first.y) == (0, 0) and not first.empty
    pointer = user.pointer()
    assert any(rect.contains(pointer) for rect in user.monitors())


def test_the_user_s_desktop_is_in_front() -> None:
    assert input_desktop() == "Default"
    check_desktop()


def test_rights_are_compared(program: Program) -> None:
    own = integrity(os.getpid())
    assert own is not None and 0x1000 <= own <= 0x4000
    assert not has_more_rights(os.getpid()) and not has_more_rights(program.pid)
    assert program_of(program.pid) == "python.exe"


def test_a_process_that_is_not_there_has_no_program_and_is_not_trusted() -> None:
    assert program_of(0) == "" and integrity(0) is None and has_more_rights(0)
