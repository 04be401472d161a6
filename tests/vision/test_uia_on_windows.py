"""UI Automation as far as Wine has it: single windows with names, bounds and states."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from desktop_agent.targets._windows import WindowsScreen
from desktop_agent.vision.observation import Element
from desktop_agent.vision.uia.com_client import UiaClient
from desktop_agent.vision.uia.uia_reader import UiaReader
from tests.support.waiting import until
from tests.support.windows_desk import Reader
from tests.windows_session import screen

__all__ = ["screen"]

pytestmark = pytest.mark.skipif(sys.platform != "win32", reason="asks Windows itself")


@pytest.fixture
def notepad(screen: WindowsScreen) -> Iterator[int]:
    with subprocess.Popen(["notepad.exe"]) as process:
        until(lambda: any(each.pid == process.pid for each in screen.windows()), "notepad's window", 60)
        yield process.pid
        process.kill()


def of(screen: WindowsScreen, pid: int) -> list[Element]:
    return [each for each in screen.elements() if each.pid == pid]


def test_a_program_tells_its_window_and_what_is_in_it(screen: WindowsScreen, notepad: int) -> None:
    until(lambda: any(each.role == "entry" for each in of(screen, notepad)), "the place to write in")
    found = of(screen, notepad)
    window = next(each for each in found if each.role == "frame")
    entry = next(each for each in found if each.role == "entry")
    info = next(each for each in screen.windows() if each.pid == notepad)
    assert window.name == entry.window == info.title and window.bounds == info.bounds
    assert entry.parent == window.id and window.bounds.intersection(entry.bounds) == entry.bounds
    assert {"showing", "enabled"} <= entry.states and "expandable" not in entry.states
    assert entry.application == info.application == "notepad"
    assert screen.elements_of(notepad) and screen.unread() == () and screen.elements_missing == ""


def test_an_element_keeps_its_id_from_look_to_look(screen: WindowsScreen, notepad: int) -> None:
    until(lambda: any(each.role == "entry" for each in of(screen, notepad)), "the place to write in")
    first, again = of(screen, notepad), of(screen, notepad)
    assert {each.id: each.role for each in first} == {each.id: each.role for each in again}


def test_a_protected_program_is_not_asked(screen: WindowsScreen, notepad: int) -> None:
    screen.protect([notepad])
    try:
        assert of(screen, notepad) == []
    finally:
        screen.protect([])


def test_a_window_that_closes_while_it_is_looked_at_does_no_harm(screen: WindowsScreen) -> None:
    for _ in range(5):
        with Reader():
            screen.elements()
        screen.elements()
    assert screen.elements_missing == ""


def test_readers_come_and_go(screen: WindowsScreen, notepad: int) -> None:
    until(lambda: any(each.role == "entry" for each in of(screen, notepad)), "the place to write in")
    others = threading.active_count()
    for _ in range(6):
        reader = UiaReader(UiaClient())
        for _ in range(2):
            found = reader.read(only=notepad)
            assert "entry" in {each.role for each in found} and reader.reason == ""
            reader.close()  # the second look begins anew
    assert threading.active_count() == others


def test_the_thread_leaves_com_with_the_reader() -> None:
    told: list[Any] = []

    def look() -> None:
        for _ in range(3):
            uia = UiaClient()
            told.append(_set_up_for_com())
            assert list(uia((), 0)) and _set_up_for_com()
            uia.close()
            uia.close()
        told.append(_set_up_for_com())

    with Reader():
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert told == [False] * 4


def _set_up_for_com() -> bool:
    """Is this thread (CoGetApartmentType)? One that only shares another's apartment is not."""
    windows: Any = ctypes  # WinDLL is there on Windows only
    kind, implicit = ctypes.c_int(), ctypes.c_int()
    answer = windows.WinDLL("ole32").CoGetApartmentType(ctypes.byref(kind), ctypes.byref(implicit))
    return not answer and not implicit.value
